/**
 * Continues the tasks that were live when the last daemon stopped: they are folded again, and
 * everything else is found out by commands, never by replaying an effect.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.task, daemon.output.
 */
@NullMarked
package dev.errand.daemon.recovery;

import org.jspecify.annotations.NullMarked;
