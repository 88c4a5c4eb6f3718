/**
 * The survey of a home after a loss: the state of the journal, and tasks and processes that it does
 * not have.
 *
 * <p>It reads everything and changes nothing, with or without a running daemon.
 *
 * <p>May depend on: core.error, core.task, core.time, daemon.home, daemon.store,
 * daemon.store.sqlite, host, host.log, host.record, wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.survey;

import org.jspecify.annotations.NullMarked;
