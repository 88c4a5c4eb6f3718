/**
 * The clock of the machine. {@link dev.errand.daemon.time.SystemTime} is the one class of the
 * daemon that reads it or waits by it; all others are given a {@link dev.errand.core.time.Time}.
 *
 * <p>May depend on: core.time.
 */
@NullMarked
package dev.errand.daemon.time;

import org.jspecify.annotations.NullMarked;
