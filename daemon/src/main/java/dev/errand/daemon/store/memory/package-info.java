/**
 * The journal in memory, which is lost with the daemon: for tests, and for {@code persist = false}.
 *
 * <p>Never uses the disk.
 *
 * <p>May depend on: core.error, core.journal, core.session, core.task, daemon.store.
 */
@NullMarked
package dev.errand.daemon.store.memory;

import org.jspecify.annotations.NullMarked;
