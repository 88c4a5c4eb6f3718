/**
 * The link to the hosts: brings recorded attempts and cancels to them, and what they wrote down
 * into the journal.
 *
 * <p>What a host has on disk is the truth. A message from it is only a hint to read on; a lost
 * connection costs time, never a fact. A host counts as dead only when its lock can be taken.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.task, core.time, daemon.home,
 * daemon.output, daemon.recovery, daemon.task, host, host.linux, host.protocol, host.record,
 * wire.fault, wire.home.
 */
@NullMarked
package dev.errand.daemon.hostlink;

import org.jspecify.annotations.NullMarked;
