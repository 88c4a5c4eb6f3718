/**
 * The journal in one SQLite file: a single writer thread that commits in groups, and a few
 * connections that only read.
 *
 * <p>No other package says SQL. The lock against a second daemon is not taken here; the fence makes
 * sure that of two only one can write.
 *
 * <p>May depend on: core.error, core.journal, core.task, daemon.store, wire.fault.
 */
@NullMarked
package dev.errand.daemon.store.sqlite;

import org.jspecify.annotations.NullMarked;
