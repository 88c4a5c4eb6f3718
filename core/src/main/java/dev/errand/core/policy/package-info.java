/**
 * The policy: what a caller may run without being asked.
 *
 * <p>Everything here is a value or a pure function of what it is given.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.core.policy;

import org.jspecify.annotations.NullMarked;
