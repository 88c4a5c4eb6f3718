/**
 * What lies in a home, for a person who has lost something: the journal as it is, and what no
 * journal explains.
 *
 * <p>Everything is looked at and nothing is changed; a daemon may run meanwhile, or none.
 *
 * <p>May depend on: core.error, core.task, core.time, daemon.home, daemon.store,
 * daemon.store.sqlite, host, host.log, host.record, wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.survey;

import org.jspecify.annotations.NullMarked;
