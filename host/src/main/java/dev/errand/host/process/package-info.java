/**
 * The processes: starting, reading, typing to, limiting and ending them.
 *
 * <p>A few platform threads do all of it. Each child belongs to one {@link
 * dev.errand.host.process.IoLoop}, on whose thread alone its state changes; what may take long
 * (starting, looking through {@code /proc}, digesting, syncing) happens elsewhere and comes back as
 * a task of that loop.
 *
 * <p>May depend on: core.task, core.time, host.linux, host.log, host.protocol, host.record,
 * host.redact, wire.fault, wire.home.
 */
@NullMarked
package dev.errand.host.process;

import org.jspecify.annotations.NullMarked;
