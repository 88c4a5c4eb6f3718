/**
 * The background tools: launch, look, cancel and clear away, one task or a batch, with answers in
 * Markdown and records with names in camel case.
 *
 * <p>May depend on: core.error, core.task, daemon.tool, daemon.tool.task, daemon.tool.text,
 * daemon.verb, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool.background;

import org.jspecify.annotations.NullMarked;
