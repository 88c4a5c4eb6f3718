/**
 * The terminal: what the three standard streams are connected to, and text that is safe to show.
 *
 * <p>Output of a task is never trusted here: it reaches a terminal escaped, or a file or a pipe as
 * exact bytes.
 *
 * <p>May depend on: core.task.
 */
@NullMarked
package dev.errand.cli.terminal;

import org.jspecify.annotations.NullMarked;
