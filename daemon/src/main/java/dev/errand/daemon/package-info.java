/**
 * The daemon: the composition root and the program around it.
 *
 * <p>Parts meet in {@code Daemon} and nowhere else.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.daemon;

import org.jspecify.annotations.NullMarked;
