/**
 * Screens: what a person would see on the terminal of a task, now or at any earlier moment.
 *
 * <p>A screen is rendered from the recorded bytes on request, never while they are written. The
 * emulator is a library; the layer before it splits the byte stream into parts, passes on only what
 * the emulator handles, and keeps what it does not know: the title and the modes of the keyboard
 * and mouse.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.task, core.time,
 * daemon.compute, daemon.output, wire.terminal.
 */
@NullMarked
package dev.errand.daemon.screen;

import org.jspecify.annotations.NullMarked;
