/**
 * The home folder of the daemon: created and checked, locked against a second daemon, with the
 * files by which clients find and trust the daemon.
 *
 * <p>May depend on: core.error, core.time, daemon.store, wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.home;

import org.jspecify.annotations.NullMarked;
