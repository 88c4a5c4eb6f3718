/**
 * The feed: wakes the followers of a stream when it grows. A wake-up is only a hint; each follower
 * reads from its own cursor, so a lost or merged wake-up costs time but no data.
 *
 * <p>Nothing is queued per follower: busy streams keep a short ring of their newest frames, and
 * slower followers read the journal.
 *
 * <p>May depend on: core.engine, core.journal, core.task, core.time.
 */
@NullMarked
package dev.errand.daemon.feed;

import org.jspecify.annotations.NullMarked;
