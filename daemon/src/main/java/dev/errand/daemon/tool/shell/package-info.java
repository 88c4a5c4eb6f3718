/**
 * The tool {@code shell}: one command at once, or runs in the background that are polled, paged
 * through, typed to and killed; and the tools that the configuration declares.
 *
 * <p>A run is a task, and an item of it is a frame: both have the same number. Nothing is kept here
 * but where the bound of a run's output falls, which is found again from the record at any time.
 *
 * <p>May depend on: core.error, core.frame, core.task, core.time, daemon.config, daemon.output,
 * daemon.tool, daemon.tool.excerpt, daemon.tool.task, daemon.tool.text, daemon.verb, wire.http,
 * wire.json, wire.terminal.
 */
@NullMarked
package dev.errand.daemon.tool.shell;

import org.jspecify.annotations.NullMarked;
