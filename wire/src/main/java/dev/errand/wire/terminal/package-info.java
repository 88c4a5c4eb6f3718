/**
 * What a terminal is told: the bytes that the keys of a keyboard send.
 *
 * <p>Only texts and bytes; nothing here reads or writes a terminal.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.wire.terminal;

import org.jspecify.annotations.NullMarked;
