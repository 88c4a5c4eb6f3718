/**
 * How things look: tables, blocks, times, sizes and progress, for a person on a terminal.
 *
 * <p>Text that came from a task is made safe here, before it becomes a part of a line.
 *
 * <p>May depend on: cli.terminal, core.task, wire.client, wire.json.
 */
@NullMarked
package dev.errand.cli.render;

import org.jspecify.annotations.NullMarked;
