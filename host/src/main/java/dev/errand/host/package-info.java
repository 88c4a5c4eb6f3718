/**
 * The host: a small process of its own that owns the processes of the tasks and outlives the
 * daemon.
 *
 * <p>{@link dev.errand.host.HostMain} is the program and {@link dev.errand.host.Host} the one place
 * where its parts meet. Nothing is decided here about tasks: the daemon asks, the host does it and
 * records what happened.
 *
 * <p>May depend on: core.time, host.linux, host.process, host.protocol, host.record, wire.fault,
 * wire.home, wire.time.
 */
@NullMarked
package dev.errand.host;

import org.jspecify.annotations.NullMarked;
