/**
 * The commands: one file for each, and what they share (options, exit codes, names of tasks).
 *
 * <p>A command calls the daemon through the client of {@code wire} and shows the answer. It decides
 * nothing about tasks and touches no file of the daemon.
 *
 * <p>May depend on: cli.attach, cli.board, cli.launch, cli.render, cli.terminal, core.error,
 * core.task, wire.client, wire.home, wire.http, wire.json, wire.terminal.
 */
@NullMarked
package dev.errand.cli.command;

import org.jspecify.annotations.NullMarked;
