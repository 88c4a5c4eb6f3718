/**
 * The journal port: commits frames, all or nothing, and reads them in order.
 *
 * <p>Frames are opaque bytes to a journal; only the codec knows what they mean.
 *
 * <p>May depend on: core.session, core.task.
 */
@NullMarked
package dev.errand.core.journal;

import org.jspecify.annotations.NullMarked;
