/**
 * The operations on tasks, which the verbs call. A control is answered only after it was applied
 * and its frame is committed.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.policy, core.session,
 * core.task, core.time, daemon.access, daemon.config, daemon.feed, daemon.pattern, daemon.schema,
 * wire.fault, wire.http, wire.json, wire.terminal.
 */
@NullMarked
package dev.errand.daemon.task;

import org.jspecify.annotations.NullMarked;
