/**
 * Fills the catalogue: the one place that knows every tool.
 *
 * <p>May depend on: daemon.tool, daemon.tool.verb.
 */
@NullMarked
package dev.errand.daemon.toolbox;

import org.jspecify.annotations.NullMarked;
