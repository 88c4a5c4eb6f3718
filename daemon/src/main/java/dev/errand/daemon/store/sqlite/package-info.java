/**
 * The journal in one SQLite file: one writer at a time, which commits for all who wait, and a few
 * connections that only read.
 *
 * <p>No other package says SQL. The lock against a second daemon is not taken here; the fence makes
 * sure that of two only one can write.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.session, core.task, core.time,
 * daemon.store, wire.fault, wire.json.
 */
@NullMarked
package dev.errand.daemon.store.sqlite;

import org.jspecify.annotations.NullMarked;
