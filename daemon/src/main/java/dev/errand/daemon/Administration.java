package dev.errand.daemon;

import dev.errand.daemon.verb.Admin;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The daemon as a whole, for the verbs that show or control it.
 *
 * @param notReady why it accepts no tasks; empty if it does
 * @param gauges its metrics by their Prometheus names
 */
record Administration(
    Admin admin, Supplier<Optional<String>> notReady, Supplier<Map<String, Number>> gauges) {}
