/**
 * Patterns that strangers write: their size is bounded, and they take time in proportion to the
 * text, whatever stands in either.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.daemon.pattern;

import org.jspecify.annotations.NullMarked;
