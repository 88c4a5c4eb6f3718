/**
 * The live board of tasks: what it holds, how keys change it, how it is drawn, and the session that
 * joins it to a terminal and to a daemon.
 *
 * <p>{@link dev.errand.cli.board.Board} and {@link dev.errand.cli.board.BoardView} are values and
 * pure functions; only {@link dev.errand.cli.board.BoardSession} does I/O. Output of tasks is
 * escaped before it is drawn, and the terminal is restored on every exit.
 *
 * <p>May depend on: cli.attach, cli.render, cli.terminal, core.error, core.task, wire.client,
 * wire.json.
 */
@NullMarked
package dev.errand.cli.board;

import org.jspecify.annotations.NullMarked;
