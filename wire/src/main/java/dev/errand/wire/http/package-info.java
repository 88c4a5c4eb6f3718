/**
 * What client and daemon agree on over HTTP: paths, parameters, headers, problem details, the form
 * of event streams, and the files in which a daemon says where it listens and what it misses.
 *
 * <p>Only texts and bounds; nothing here opens a connection.
 *
 * <p>May depend on: core.error, core.task, wire.json.
 */
@NullMarked
package dev.errand.wire.http;

import org.jspecify.annotations.NullMarked;
