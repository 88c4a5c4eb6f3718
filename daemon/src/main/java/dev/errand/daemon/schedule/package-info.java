/**
 * The scheduler: which task runs now and which waits. It decides from the recorded states of tasks;
 * its memory can be rebuilt from them at any time. Only which tasks a call waits for is not
 * recorded, since no call outlives its daemon.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.task, core.time, daemon.task.
 */
@NullMarked
package dev.errand.daemon.schedule;

import org.jspecify.annotations.NullMarked;
