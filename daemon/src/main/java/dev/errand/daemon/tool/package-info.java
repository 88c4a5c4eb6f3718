/**
 * Tools: what an agent can call by name, with arguments as JSON, whatever door it comes through.
 *
 * <p>A tool is one small class that says what it is and answers one call. It acts through the same
 * services as the routes, so a task looks the same whoever asks. Through tools a caller reaches
 * only its own session's tasks and what these have started: {@link
 * dev.errand.daemon.tool.TaskChoice} is the one place that finds tasks for them.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.task, core.time, daemon.access,
 * daemon.compute, daemon.condition, daemon.feed, daemon.output, daemon.screen, daemon.task,
 * daemon.verb, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool;

import org.jspecify.annotations.NullMarked;
