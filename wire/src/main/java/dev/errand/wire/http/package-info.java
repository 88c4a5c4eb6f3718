/**
 * The HTTP contract of client and daemon: paths, parameters, headers, problem details, the form of
 * event streams, and the files with a daemon's addresses and its losses.
 *
 * <p>Only texts and bounds; nothing here opens a connection.
 *
 * <p>May depend on: core.error, core.task, wire.json.
 */
@NullMarked
package dev.errand.wire.http;

import org.jspecify.annotations.NullMarked;
