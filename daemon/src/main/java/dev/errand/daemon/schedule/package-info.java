/**
 * The scheduler: which task runs now and which waits. It decides by what is recorded; what it holds
 * in memory is folded from the tasks' states and can be made again at any time.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.task, core.time, daemon.task.
 */
@NullMarked
package dev.errand.daemon.schedule;

import org.jspecify.annotations.NullMarked;
