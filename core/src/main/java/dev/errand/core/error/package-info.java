/**
 * What can go wrong: codes that a caller can act on, and the one exception that carries them.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.core.error;

import org.jspecify.annotations.NullMarked;
