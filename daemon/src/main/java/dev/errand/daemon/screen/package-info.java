/**
 * Screens: what a person would see who looked at a terminal task, now or at any earlier moment.
 *
 * <p>A screen is rendered from the recorded bytes when somebody asks for it, never while they are
 * written. The emulator is a library; what stands before it here takes the byte stream apart, so
 * that it gets only what it understands, and remembers what it does not: the title and the modes of
 * the keyboard and mouse.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.task, core.time,
 * daemon.compute, daemon.output, wire.terminal.
 */
@NullMarked
package dev.errand.daemon.screen;

import org.jspecify.annotations.NullMarked;
