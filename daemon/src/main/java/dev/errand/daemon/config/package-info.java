/**
 * The settings of {@code config.toml} and their defaults.
 *
 * <p>A new setting is one line in the reader of its table ({@link
 * dev.errand.daemon.config.ConfigFile}), its default in {@link dev.errand.daemon.config.Config},
 * and a row in {@code docs/reference/config.md}. A setting read through {@code section.live()} may
 * change while the daemon runs: its user then takes a {@code Supplier} of the settings and reads it
 * at each use. Any other setting keeps its value until a restart.
 *
 * <p>May depend on: core.error, core.policy, core.task, daemon.pattern, daemon.schema, wire.json.
 */
@NullMarked
package dev.errand.daemon.config;

import org.jspecify.annotations.NullMarked;
