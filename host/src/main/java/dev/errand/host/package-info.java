/**
 * The host: a small separate process that owns the processes of the tasks and outlives the daemon.
 *
 * <p>{@link dev.errand.host.HostMain} is the program and {@link dev.errand.host.Host} its
 * composition root. The host makes no decisions about tasks: it carries out the daemon's requests
 * and records what happened.
 *
 * <p>May depend on: core.time, host.linux, host.process, host.protocol, host.record, wire.fault,
 * wire.home, wire.time.
 */
@NullMarked
package dev.errand.host;

import org.jspecify.annotations.NullMarked;
