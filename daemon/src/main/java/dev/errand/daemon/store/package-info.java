/**
 * What the journals of the daemon have in common: how durable they are, the form of their cursors,
 * what is done about damage, and the room that is kept for them.
 *
 * <p>Each sort of journal is a package below this one; SQL is in those packages and nowhere else.
 *
 * <p>May depend on: core.error, core.journal, core.task.
 */
@NullMarked
package dev.errand.daemon.store;

import org.jspecify.annotations.NullMarked;
