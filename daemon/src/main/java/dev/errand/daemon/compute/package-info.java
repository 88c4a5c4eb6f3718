/**
 * Work that keeps a processor busy: searches, scans, rendering, digests. It runs in short steps on
 * a few threads of low priority, fair among callers, so that nobody can take the processors away
 * from the rest of the daemon.
 *
 * <p>May depend on: core.error, core.time, host.linux.
 */
@NullMarked
package dev.errand.daemon.compute;

import org.jspecify.annotations.NullMarked;
