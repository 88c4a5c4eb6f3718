/**
 * Attached clients: each receives one task's bytes as they come, from an offset of its choice, and
 * may send input. What a client is sent depends only on the recorded frames and the log, so a
 * client that reconnects with its offset misses nothing and sees nothing twice.
 *
 * <p>Nothing is queued for a client: its thread reads the log from its own offset and blocks until
 * the kernel has taken what was sent. The input of a client is applied in its order, by the same
 * verb as all other input.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.task, core.time, daemon.compute,
 * daemon.config, daemon.feed, daemon.output, daemon.task, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.attach;

import org.jspecify.annotations.NullMarked;
