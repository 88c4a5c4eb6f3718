/**
 * Inboxes: reads, shows, acknowledges and merges the notices of a session, and signals their
 * arrival.
 *
 * <p>The text of a notice is made from the record at delivery; this package stores nothing about
 * tasks.
 *
 * <p>May depend on: core.engine, core.frame, core.journal, core.session, core.task, core.time,
 * daemon.feed, daemon.output, daemon.task, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.inbox;

import org.jspecify.annotations.NullMarked;
