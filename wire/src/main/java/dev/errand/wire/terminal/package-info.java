/**
 * The language of terminals: the bytes that keys send, and the escape sequences within output.
 *
 * <p>Only texts and bytes; nothing here reads or writes a terminal.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.wire.terminal;

import org.jspecify.annotations.NullMarked;
