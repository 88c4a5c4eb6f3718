/**
 * The text output for people: tables, blocks, times, sizes and progress.
 *
 * <p>Text from a task is escaped here, before it becomes part of a line.
 *
 * <p>May depend on: cli.terminal, core.task, wire.client, wire.json.
 */
@NullMarked
package dev.errand.cli.render;

import org.jspecify.annotations.NullMarked;
