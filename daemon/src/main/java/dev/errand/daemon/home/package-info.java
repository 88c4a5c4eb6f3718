/**
 * The home folder from the daemon's side: made and checked, locked against a second daemon, and
 * with the files by which others find and trust this one.
 *
 * <p>May depend on: core.error, core.time, daemon.store, wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.home;

import org.jspecify.annotations.NullMarked;
