/**
 * The clock of the machine. {@link dev.errand.wire.time.SystemTime} is the one class that reads it
 * or waits by it for the daemon and the host; all others there are given a {@link
 * dev.errand.core.time.Time}.
 *
 * <p>May depend on: core.time.
 */
@NullMarked
package dev.errand.wire.time;

import org.jspecify.annotations.NullMarked;
