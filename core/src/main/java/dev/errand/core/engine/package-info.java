/**
 * The engine: it decides and commits one command at a time per task, then calls the listeners.
 *
 * <p>May depend on: core.error, core.frame, core.journal, core.session, core.task.
 */
@NullMarked
package dev.errand.core.engine;

import org.jspecify.annotations.NullMarked;
