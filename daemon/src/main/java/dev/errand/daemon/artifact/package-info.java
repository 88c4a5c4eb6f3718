/**
 * Artifacts: immutable content in files that are named by their SHA-256.
 *
 * <p>What keeps an artifact is the journal's matter; here are only files. No caller sees a path.
 *
 * <p>May depend on: core.error, daemon.compute, daemon.store.
 */
@NullMarked
package dev.errand.daemon.artifact;

import org.jspecify.annotations.NullMarked;
