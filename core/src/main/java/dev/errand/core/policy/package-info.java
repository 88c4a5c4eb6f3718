/**
 * The policy: what a caller may run without being asked.
 *
 * <p>Everything here is a value or a pure function of what it is given; start with {@link
 * dev.errand.core.policy.Policy}. How patterns are matched is a port, since the core has no
 * library.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.core.policy;

import org.jspecify.annotations.NullMarked;
