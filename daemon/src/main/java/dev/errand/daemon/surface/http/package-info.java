/**
 * The HTTP door: routes, server-sent events and problem details, on a Unix socket and on TCP.
 *
 * <p>It parses, authenticates, checks sizes and formats answers; the verbs that it calls do the
 * work. {@link dev.errand.daemon.surface.http.RouteTable} is the table of contents. Nothing is
 * queued for a subscriber: one that reads too slowly is disconnected and can resume from its
 * cursor.
 *
 * <p>A new route is a line in the {@code routes()} of its class, with its description, its body and
 * its answers: {@code GET /openapi.json} is built from that. Schemas, and the meaning of each query
 * parameter, are in {@code components.json}.
 *
 * <p>May depend on: core.error, core.task, core.time, daemon.config, daemon.tool, daemon.verb,
 * wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.surface.http;

import org.jspecify.annotations.NullMarked;
