/**
 * The settings: what {@code config.toml} may say, and what holds where it says nothing.
 *
 * <p>A new setting is one line in the reader of its table ({@link
 * dev.errand.daemon.config.ConfigFile}), its default in {@link dev.errand.daemon.config.Config},
 * and a row in {@code docs/reference/config.md}. Read through {@code section.live()} it may change
 * while the daemon runs: its user then takes a {@code Supplier} of the settings and asks at each
 * use. Anything else that is read of a section holds until a restart.
 *
 * <p>May depend on: core.error, core.policy, core.task, daemon.pattern, daemon.schema, wire.json.
 */
@NullMarked
package dev.errand.daemon.config;

import org.jspecify.annotations.NullMarked;
