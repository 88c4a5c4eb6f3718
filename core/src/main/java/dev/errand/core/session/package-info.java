/**
 * The session: what happens to it that belongs to no single task's stream.
 *
 * <p>May depend on: core.error, core.task.
 */
@NullMarked
package dev.errand.core.session;

import org.jspecify.annotations.NullMarked;
