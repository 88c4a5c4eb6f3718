/**
 * Fills the catalogue: the one place that knows every tool.
 *
 * <p>May depend on: core.time, daemon.config, daemon.tool, daemon.tool.background,
 * daemon.tool.shell, daemon.tool.task, daemon.tool.verb, daemon.verb.
 */
@NullMarked
package dev.errand.daemon.toolbox;

import org.jspecify.annotations.NullMarked;
