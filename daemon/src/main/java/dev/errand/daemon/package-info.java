/**
 * The daemon: the composition root and the program around it.
 *
 * <p>Only this package wires the parts; read {@code Parts} first. Each part is opened by its
 * constructor, works from {@code start} on, and registers in {@code OpenParts} what must be closed.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.policy, core.task,
 * core.time, daemon.access, daemon.artifact, daemon.attach, daemon.compute, daemon.condition,
 * daemon.config, daemon.feed, daemon.home, daemon.hostlink, daemon.inbox, daemon.maintenance,
 * daemon.output, daemon.recovery, daemon.schedule, daemon.screen, daemon.store,
 * daemon.store.memory, daemon.store.sqlite, daemon.surface.http, daemon.survey, daemon.task,
 * daemon.tool, daemon.toolbox, daemon.verb, daemon.watch, daemon.webhook, host, host.linux,
 * host.log, host.protocol, wire.fault, wire.home, wire.http, wire.json, wire.time.
 */
@NullMarked
package dev.errand.daemon;

import org.jspecify.annotations.NullMarked;
