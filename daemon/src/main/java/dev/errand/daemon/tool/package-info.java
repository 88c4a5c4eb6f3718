/**
 * Tools: what an agent can call by name, with arguments as JSON, whatever door it comes through.
 *
 * <p>A tool is one small class that says what it is and answers one call. It is made of the same
 * verbs as the routes, so a task looks the same whoever asks. A call is kept to its session:
 * through tools a caller reaches only that session's tasks and what these have started.
 *
 * <p>May depend on: core.error, core.task, daemon.output, daemon.verb, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool;

import org.jspecify.annotations.NullMarked;
