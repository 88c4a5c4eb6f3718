/**
 * Fills the catalogue: the one place that knows every tool.
 *
 * <p>May depend on: core.engine, core.frame, core.journal, core.task, daemon.config, daemon.output,
 * daemon.tool, daemon.tool.background, daemon.tool.shell, daemon.tool.task, daemon.tool.verb,
 * wire.json.
 */
@NullMarked
package dev.errand.daemon.toolbox;

import org.jspecify.annotations.NullMarked;
