/**
 * The journal port: where frames become true, all or nothing, and are read again in order.
 *
 * <p>A journal keeps frames as bytes that it never looks into; what they mean is the codec's
 * matter.
 *
 * <p>May depend on: core.session, core.task.
 */
@NullMarked
package dev.errand.core.journal;

import org.jspecify.annotations.NullMarked;
