/**
 * The settings: what {@code config.toml} may say, and what holds where it says nothing.
 *
 * <p>May depend on: core.error, core.policy, core.task, daemon.pattern.
 */
@NullMarked
package dev.errand.daemon.config;

import org.jspecify.annotations.NullMarked;
