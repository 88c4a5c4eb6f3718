/**
 * Frames: events once recorded, with their place and time, and the port that gives them their text.
 *
 * <p>May depend on: core.journal, core.session, core.task.
 */
@NullMarked
package dev.errand.core.frame;

import org.jspecify.annotations.NullMarked;
