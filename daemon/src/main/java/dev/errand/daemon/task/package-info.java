/**
 * What a surface can ask of tasks, one method a verb; all surfaces call these and nothing beside
 * them. A control is answered only after it was applied and its frame is committed.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.policy, core.session,
 * core.task, core.time, daemon.access, daemon.config, daemon.feed, daemon.pattern, daemon.schema,
 * wire.fault, wire.http, wire.json, wire.terminal.
 */
@NullMarked
package dev.errand.daemon.task;

import org.jspecify.annotations.NullMarked;
