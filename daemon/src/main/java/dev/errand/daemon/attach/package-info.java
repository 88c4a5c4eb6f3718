/**
 * Attached clients: each sees one task's bytes as they come, from an offset of its choice, and may
 * type. What a client is sent follows from the recorded frames and the log alone, so that a client
 * that comes back with its offset misses nothing and sees nothing twice.
 *
 * <p>Nothing is queued for a client: its thread reads the log on from its own offset and blocks
 * until the kernel has taken what was sent. What a client types is applied in its order, by the
 * same verb as every other input.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.task, core.time, daemon.compute,
 * daemon.config, daemon.feed, daemon.output, daemon.task, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.attach;

import org.jspecify.annotations.NullMarked;
