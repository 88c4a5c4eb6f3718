/**
 * Programs that measure: each prints what it found, beside a reference that was measured in the
 * same run. They start the assembled program as users do and talk to it through the SDK; what is
 * about recording alone drives the engine and its journal.
 *
 * <p>May depend on: core.engine, core.frame, core.journal, core.task, core.time, daemon.config,
 * daemon.pattern, daemon.store, daemon.store.sqlite, daemon.task, host.linux, wire.client,
 * wire.home, wire.http, wire.json, wire.time.
 */
@NullMarked
package dev.errand.bench;

import org.jspecify.annotations.NullMarked;
