/**
 * Upkeep: what was read is marked, what has had its time is removed, what nobody refers to is
 * deleted. Nothing that a live or kept task refers to is ever touched.
 *
 * <p>May depend on: core.engine, core.journal, core.session, core.task, core.time, daemon.artifact,
 * daemon.config, daemon.output, daemon.store, daemon.task, wire.home.
 */
@NullMarked
package dev.errand.daemon.maintenance;

import org.jspecify.annotations.NullMarked;
