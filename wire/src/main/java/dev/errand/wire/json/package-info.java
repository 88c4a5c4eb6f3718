/**
 * Frames, statuses and requests as JSON.
 *
 * <p>Everything is written with a streaming generator and read from a tree, without reflection, so
 * that short programs start quickly. Recorded JSON stays readable: fields are added at the end and
 * never renamed, and unknown fields are skipped in frames. In requests they are refused by name, so
 * that a misspelt field is not lost.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.policy, core.session, core.task.
 */
@NullMarked
package dev.errand.wire.json;

import org.jspecify.annotations.NullMarked;
