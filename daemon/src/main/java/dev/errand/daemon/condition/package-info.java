/**
 * Conditions on a task, and waiting until one of them holds: an end, a text in its output or on its
 * screen, silence, a port that it listens on, a prompt.
 *
 * <p>A condition is a value that anyone may make; a check finds whether it is true and keeps what
 * it must remember between two checks. Output and ends wake a waiting caller; only what the kernel
 * gives no notice of is checked at intervals. Nothing here changes a task; only that it was seen at
 * a prompt is recorded.
 *
 * <p>Beside them stands what a look at the processes of a task shows: the ports that they listen
 * on, and whether they are stopped.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.policy, core.task,
 * core.time, daemon.access, daemon.compute, daemon.feed, daemon.output, daemon.pattern,
 * daemon.screen, daemon.task, host.linux, host.process, wire.json.
 */
@NullMarked
package dev.errand.daemon.condition;

import org.jspecify.annotations.NullMarked;
