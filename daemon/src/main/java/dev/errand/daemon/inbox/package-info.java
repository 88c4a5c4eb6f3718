/**
 * Inboxes: the notices of a session as they are read, shown, acknowledged and kept within bounds,
 * and the sinks that are told when one arrives.
 *
 * <p>What a notice says beside its bare facts is made from the record when it is delivered, and
 * nothing here is the truth about a task.
 *
 * <p>May depend on: core.engine, core.frame, core.journal, core.session, core.task, core.time,
 * daemon.feed, daemon.output, daemon.task, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.inbox;

import org.jspecify.annotations.NullMarked;
