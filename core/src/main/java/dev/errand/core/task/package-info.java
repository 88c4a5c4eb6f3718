/**
 * The task: its commands, its events, its states, and the two functions that decide and fold.
 *
 * <p>Everything here is a value or a pure function: no clock, no I/O, no threads. Replaying a log
 * through this package never does anything in the world.
 *
 * <p>May depend on: core.error, core.policy.
 */
@NullMarked
package dev.errand.core.task;

import org.jspecify.annotations.NullMarked;
