/**
 * Parts of the output of tasks that fit into an answer: pages from a cursor on, and heads and tails
 * with a line between that says what is left out and which call reads on.
 *
 * <p>All of it is plain text, cut at the borders of lines. Nothing here reads a whole log.
 *
 * <p>May depend on: core.error, core.task, daemon.output, daemon.verb, wire.json.
 */
@NullMarked
package dev.errand.daemon.tool.excerpt;

import org.jspecify.annotations.NullMarked;
