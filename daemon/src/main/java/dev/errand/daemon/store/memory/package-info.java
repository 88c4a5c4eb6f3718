/**
 * The journal that is kept in memory and gone with the daemon: for tests, and for {@code persist =
 * false}.
 *
 * <p>Never touches a disk.
 *
 * <p>May depend on: core.error, core.journal, core.session, core.task, daemon.store.
 */
@NullMarked
package dev.errand.daemon.store.memory;

import org.jspecify.annotations.NullMarked;
