/**
 * Patterns from callers: their size is bounded, and they take time in proportion to the text.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.daemon.pattern;

import org.jspecify.annotations.NullMarked;
