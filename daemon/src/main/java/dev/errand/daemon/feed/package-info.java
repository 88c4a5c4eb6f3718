/**
 * The feed: tells whoever follows a stream that it has grown. A wake-up is only a hint; each
 * follower reads on from its own cursor, so a lost or merged one costs time and never data.
 *
 * <p>Nothing is queued per follower: busy streams keep a short ring of their newest frames, and who
 * is behind it reads the journal.
 *
 * <p>May depend on: core.engine, core.journal, core.task, core.time.
 */
@NullMarked
package dev.errand.daemon.feed;

import org.jspecify.annotations.NullMarked;
