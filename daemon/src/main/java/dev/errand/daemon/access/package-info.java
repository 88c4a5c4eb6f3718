/**
 * Who a caller is and how far it is trusted: tokens, and the processes of our own tasks.
 *
 * <p>It knows nothing of HTTP; a surface brings what it was shown and gets a name and rights.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.policy, core.task, core.time,
 * daemon.home, host.linux, host.process.
 */
@NullMarked
package dev.errand.daemon.access;

import org.jspecify.annotations.NullMarked;
