/**
 * Points at which a test may make the daemon or a host die, stand still or fail.
 *
 * <p>Who starts the process names them, in its environment; the launcher hands that on as a system
 * property and takes it out of the environment, so no request and no task can reach it. Without the
 * property a point is one look at a field.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.wire.fault;

import org.jspecify.annotations.NullMarked;
