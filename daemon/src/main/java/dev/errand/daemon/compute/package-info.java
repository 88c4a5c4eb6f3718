/**
 * CPU-bound work: searches, scans, rendering, digests. It runs in short steps on a few low-priority
 * threads, fairly shared among callers, so that the rest of the daemon always gets processor time.
 *
 * <p>May depend on: core.error, core.time, host.linux.
 */
@NullMarked
package dev.errand.daemon.compute;

import org.jspecify.annotations.NullMarked;
