/**
 * Output: what tasks wrote, read by range. No caller sees a path.
 *
 * <p>May depend on: core.error, core.task, daemon.artifact, host.log, host.record.
 */
@NullMarked
package dev.errand.daemon.output;

import org.jspecify.annotations.NullMarked;
