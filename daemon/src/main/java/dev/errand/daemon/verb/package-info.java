/**
 * The verbs: what a caller can ask of the daemon at any door, with typed requests and answers; who
 * may call each of them, and the one place where that is checked; and idempotency.
 *
 * <p>It knows no door. The target of a verb is checked before the verb runs, so that a new door
 * cannot forget the check.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.policy, core.task,
 * core.time, daemon.access, daemon.artifact, daemon.attach, daemon.compute, daemon.condition,
 * daemon.config, daemon.feed, daemon.inbox, daemon.output, daemon.pattern, daemon.screen,
 * daemon.task, daemon.webhook, host.linux, wire.json.
 */
@NullMarked
package dev.errand.daemon.verb;

import org.jspecify.annotations.NullMarked;
