/**
 * The session: what happens to it that belongs to no single task's stream, and its inbox, the
 * notices of what happens to its tasks.
 *
 * <p>May depend on: core.error, core.task.
 */
@NullMarked
package dev.errand.core.session;

import org.jspecify.annotations.NullMarked;
