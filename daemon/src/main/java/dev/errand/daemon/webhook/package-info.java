/**
 * Webhooks: the notices of a session sent to an address that it named, each until it is taken or
 * too old, in order and one at a time.
 *
 * <p>Every session has its own courier, so that a target which is slow or gone holds up nobody
 * else. Where a delivery stands is kept in the journal, and a notice that may have arrived before a
 * crash is sent again under the same id.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.session, core.task, core.time,
 * daemon.config, daemon.home, daemon.inbox, daemon.output, wire.json.
 */
@NullMarked
package dev.errand.daemon.webhook;

import org.jspecify.annotations.NullMarked;
