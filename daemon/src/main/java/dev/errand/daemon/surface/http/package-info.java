/**
 * The HTTP door: routes, server-sent events and problem details, on a Unix socket and on TCP.
 *
 * <p>It parses, authenticates, checks sizes and gives answers their form; what happens is decided
 * behind the verbs that it calls. {@link dev.errand.daemon.surface.http.RouteTable} is the table of
 * contents. Nothing is queued for a subscriber: who reads too slowly is cut and comes back with its
 * cursor.
 *
 * <p>A new route is a line in the {@code routes()} of its class that also says what it does, takes
 * and gives: {@code GET /openapi.json} is made of that. Schemas, and what each query parameter
 * means, are in {@code components.json}.
 *
 * <p>May depend on: core.error, core.task, core.time, daemon.config, daemon.tool, daemon.verb,
 * wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.daemon.surface.http;

import org.jspecify.annotations.NullMarked;
