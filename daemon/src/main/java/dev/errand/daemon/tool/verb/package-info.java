/**
 * The verbs of tasks and of stored output as tools: each does what the route of its name does.
 *
 * <p>May depend on: daemon.tool, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool.verb;

import org.jspecify.annotations.NullMarked;
