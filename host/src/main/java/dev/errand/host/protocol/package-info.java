/**
 * The protocol between daemon and host: JSON lines on one Unix socket, as typed messages.
 *
 * <p>The daemon asks ({@link dev.errand.host.protocol.HostClient}), the host answers and sends
 * hints that its record file has grown. Answers are no proof of what happened to a task; the
 * records are.
 *
 * <p>May depend on: core.task, core.time, host.record.
 */
@NullMarked
package dev.errand.host.protocol;

import org.jspecify.annotations.NullMarked;
