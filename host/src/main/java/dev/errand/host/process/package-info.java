/**
 * The processes: starting, reading, writing input, limiting and ending them.
 *
 * <p>A few platform threads do all of it. Each child belongs to one {@link
 * dev.errand.host.process.IoLoop}, on whose thread alone its state changes; slow work (starting,
 * searching {@code /proc}, digesting, syncing) runs elsewhere and returns as a task of that loop.
 *
 * <p>May depend on: core.task, core.time, host.linux, host.log, host.protocol, host.record,
 * host.redact, wire.fault, wire.home.
 */
@NullMarked
package dev.errand.host.process;

import org.jspecify.annotations.NullMarked;
