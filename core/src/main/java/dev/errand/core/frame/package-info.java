/**
 * Frames: recorded events with their seq and time, and the port that encodes them.
 *
 * <p>May depend on: core.journal, core.session, core.task.
 */
@NullMarked
package dev.errand.core.frame;

import org.jspecify.annotations.NullMarked;
