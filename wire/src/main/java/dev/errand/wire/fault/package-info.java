/**
 * Failpoints, at which a test can kill, stop or fail the daemon or a host.
 *
 * <p>They are set in the environment of the process; the launcher passes them on as a system
 * property and removes them from the environment, so no request and no task can set them. Without
 * the property a failpoint only reads one field.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.wire.fault;

import org.jspecify.annotations.NullMarked;
