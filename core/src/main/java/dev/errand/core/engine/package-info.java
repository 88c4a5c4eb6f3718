/**
 * The engine: one command at a time per task, decided, committed, and only then told to others.
 *
 * <p>It starts no threads and does no effect. Who wants to act on what happened subscribes.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.session, core.task.
 */
@NullMarked
package dev.errand.core.engine;

import org.jspecify.annotations.NullMarked;
