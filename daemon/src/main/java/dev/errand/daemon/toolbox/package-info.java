/**
 * Fills the catalogue: the one place that knows every tool.
 *
 * <p>May depend on: daemon.config, daemon.tool, daemon.tool.shell, daemon.tool.verb.
 */
@NullMarked
package dev.errand.daemon.toolbox;

import org.jspecify.annotations.NullMarked;
