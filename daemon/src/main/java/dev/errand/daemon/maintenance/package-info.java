/**
 * Maintenance: marks read results, removes expired tasks, and deletes unreferenced files. Files
 * that a live or kept task references are never deleted.
 *
 * <p>May depend on: core.engine, core.journal, core.session, core.task, core.time, daemon.artifact,
 * daemon.config, daemon.output, daemon.store, daemon.task, wire.home.
 */
@NullMarked
package dev.errand.daemon.maintenance;

import org.jspecify.annotations.NullMarked;
