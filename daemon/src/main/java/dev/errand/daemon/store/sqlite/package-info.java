/**
 * The journal in one SQLite file: one writer at a time, which commits for all waiting callers, and
 * a few read-only connections.
 *
 * <p>SQL is in no other package. The lock against a second daemon is not taken here; the fence
 * makes sure that only one of two can write.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.session, core.task, core.time,
 * daemon.store, wire.fault, wire.json.
 */
@NullMarked
package dev.errand.daemon.store.sqlite;

import org.jspecify.annotations.NullMarked;
