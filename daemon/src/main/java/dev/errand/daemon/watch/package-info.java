/**
 * Watchers and readiness: while a task runs, its output and its conditions are looked at, and what
 * they show is recorded as hits.
 *
 * <p>Output is read from the logs, never from memory, as far as frames tell of it: so a hit stands
 * behind its output, and a daemon that starts again finds the same hits in the same places and
 * records those that are missing. What is recorded already is known from the fold. Nothing here
 * changes a task otherwise.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.task, core.time,
 * daemon.compute, daemon.condition, daemon.config, daemon.hostlink, daemon.output, daemon.pattern,
 * wire.terminal.
 */
@NullMarked
package dev.errand.daemon.watch;

import org.jspecify.annotations.NullMarked;
