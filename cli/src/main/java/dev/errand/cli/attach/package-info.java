/**
 * A person's terminal, joined to the terminal of a task: raw mode, keys, size, and the way back to
 * how it was before.
 *
 * <p>Only here does the output of a task reach a terminal unchanged. The terminal is restored on
 * every exit.
 *
 * <p>May depend on: cli.terminal, core.task, wire.client, wire.terminal.
 */
@NullMarked
package dev.errand.cli.attach;

import org.jspecify.annotations.NullMarked;
