/**
 * The session: its events that belong to no single task, and its inbox of notices about its tasks.
 *
 * <p>May depend on: core.error, core.task.
 */
@NullMarked
package dev.errand.core.session;

import org.jspecify.annotations.NullMarked;
