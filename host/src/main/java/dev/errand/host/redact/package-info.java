/**
 * Removes secrets from what a task writes: their values, and the forms into which tools commonly
 * encode them.
 *
 * <p>Works on bytes alone and knows nothing of tasks, files or threads. It protects against
 * accidents, not against a task that wants to show a secret.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.host.redact;

import org.jspecify.annotations.NullMarked;
