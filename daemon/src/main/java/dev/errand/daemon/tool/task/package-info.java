/**
 * Tools on single tasks: {@code task_spawn}, {@code task_status} and the like, and those that look
 * closer: the screen, a search, a wait, a digest of all.
 *
 * <p>What they share with the background tools is public here: how a task is chosen, read, started
 * and ended through tools.
 *
 * <p>May depend on: core.error, core.task, core.time, daemon.output, daemon.tool,
 * daemon.tool.excerpt, daemon.tool.text, daemon.verb, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool.task;

import org.jspecify.annotations.NullMarked;
