/**
 * What tools say of tasks, in words and tables. Pure: a view goes in, a text comes out, and nothing
 * in it can steer a terminal or break out of its table.
 *
 * <p>May depend on: core.task, daemon.output, daemon.verb, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool.text;

import org.jspecify.annotations.NullMarked;
