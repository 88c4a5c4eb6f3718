/**
 * Watchers and readiness: while a task runs, its output is scanned and its conditions are checked,
 * and hits are recorded.
 *
 * <p>Output is read from the logs, never from memory, up to the last recorded frame: so a hit comes
 * after its output, and a restarted daemon finds the same hits in the same places and records those
 * that are missing. Recorded hits are known from the fold. Nothing here changes a task otherwise.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.task, core.time,
 * daemon.compute, daemon.condition, daemon.config, daemon.hostlink, daemon.output, daemon.pattern,
 * wire.terminal.
 */
@NullMarked
package dev.errand.daemon.watch;

import org.jspecify.annotations.NullMarked;
