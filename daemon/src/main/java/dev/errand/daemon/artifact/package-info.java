/**
 * Artifacts: immutable content in files named by their SHA-256.
 *
 * <p>The journal knows why an artifact is kept; here are only files. No caller sees a path.
 *
 * <p>May depend on: core.error, daemon.compute, daemon.store.
 */
@NullMarked
package dev.errand.daemon.artifact;

import org.jspecify.annotations.NullMarked;
