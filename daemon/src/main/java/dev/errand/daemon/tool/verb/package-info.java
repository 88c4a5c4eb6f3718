/**
 * The verbs of tasks and of stored output as tools: each does what the route of its name does.
 *
 * <p>May depend on: core.error, core.task, core.time, daemon.tool, daemon.tool.excerpt,
 * daemon.tool.text, daemon.verb, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool.verb;

import org.jspecify.annotations.NullMarked;
