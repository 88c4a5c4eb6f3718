/**
 * Who a caller is and which rights it has: tokens, and the processes of this daemon's tasks.
 *
 * <p>It knows nothing of HTTP: a surface passes what the caller presented and gets a name and
 * rights.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.policy, core.task, core.time,
 * daemon.home, host.linux, host.process.
 */
@NullMarked
package dev.errand.daemon.access;

import org.jspecify.annotations.NullMarked;
