/**
 * Webhooks: sends the notices of a session, and events of its tasks where that is asked for, to an
 * address, in order and one at a time, each until it is accepted or too old.
 *
 * <p>Every session has its own delivery loop, so a slow or dead target delays no other session. The
 * state of a delivery is in the journal; a notice that may have arrived before a crash is sent
 * again under the same id.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.session, core.task,
 * core.time, daemon.config, daemon.home, daemon.inbox, daemon.output, wire.json.
 */
@NullMarked
package dev.errand.daemon.webhook;

import org.jspecify.annotations.NullMarked;
