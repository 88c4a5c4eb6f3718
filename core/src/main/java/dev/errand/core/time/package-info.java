/**
 * Time as a port: what the clock on the wall says, how much time has passed, timers, and waits that
 * end after a time.
 *
 * <p>Nothing here reads a clock. Whoever measures or waits is given a {@link
 * dev.errand.core.time.Time} and asks that one, so that a test can move it by hand.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.core.time;

import org.jspecify.annotations.NullMarked;
