/**
 * How things are written: frames, statuses and requests as JSON.
 *
 * <p>Everything is written by hand over a streaming generator and read from a tree: no reflection,
 * so that a program that says one thing and ends starts quickly. What is written once stays
 * readable: fields are added at the end, never renamed, and unknown ones are skipped in frames. In
 * requests they are refused by name, because a misspelt wish must not be lost.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.policy, core.session, core.task.
 */
@NullMarked
package dev.errand.wire.json;

import org.jspecify.annotations.NullMarked;
