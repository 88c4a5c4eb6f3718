/**
 * A person's terminal, joined to the terminal of a task: raw mode, keys, size, and the way back to
 * how it was before.
 *
 * <p>Here, and here only, what a task wrote reaches a terminal unchanged: whoever attaches asks for
 * just that. On every way out the terminal is as it was.
 *
 * <p>May depend on: cli.terminal, core.task, wire.client, wire.terminal.
 */
@NullMarked
package dev.errand.cli.attach;

import org.jspecify.annotations.NullMarked;
