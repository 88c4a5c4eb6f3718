/**
 * The kernel functions that the host needs: descriptors, epoll, pidfds, signals, limits,
 * posix_spawn and {@code /proc}, through the JDK's foreign-function interface.
 *
 * <p>Each class wraps a few calls and knows nothing of tasks. A call that can block must be made on
 * a platform thread, because native code pins a virtual one. Requires glibc on Linux.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.host.linux;

import org.jspecify.annotations.NullMarked;
