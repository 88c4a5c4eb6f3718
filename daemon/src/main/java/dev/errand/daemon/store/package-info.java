/**
 * What the journals of the daemon have in common: durability, the form of cursors, damage, and the
 * disk reserve.
 *
 * <p>Each kind of journal is a package below this one; SQL is only in those packages.
 *
 * <p>May depend on: core.error, core.journal, core.task.
 */
@NullMarked
package dev.errand.daemon.store;

import org.jspecify.annotations.NullMarked;
