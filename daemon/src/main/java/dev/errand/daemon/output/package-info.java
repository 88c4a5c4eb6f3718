/**
 * Output: what tasks wrote, read by range or as the plain text of its end. No caller sees a path.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.task, core.time,
 * daemon.artifact, daemon.compute, daemon.pattern, host.log, host.record, wire.terminal.
 */
@NullMarked
package dev.errand.daemon.output;

import org.jspecify.annotations.NullMarked;
