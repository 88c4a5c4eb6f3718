/**
 * What can be asked of the daemon, whichever door it comes through: whom a verb is for, and the one
 * place where that is checked; what makes a change happen once; and the verbs themselves, with
 * typed requests and answers.
 *
 * <p>It knows no door. What a verb names is checked before it runs, so that a new door cannot
 * forget it.
 *
 * <p>May depend on: core.engine, core.error, core.frame, core.journal, core.policy, core.task,
 * core.time, daemon.access, daemon.artifact, daemon.attach, daemon.compute, daemon.condition,
 * daemon.config, daemon.feed, daemon.inbox, daemon.output, daemon.pattern, daemon.screen,
 * daemon.task, daemon.webhook, host.linux, wire.json.
 */
@NullMarked
package dev.errand.daemon.verb;

import org.jspecify.annotations.NullMarked;
