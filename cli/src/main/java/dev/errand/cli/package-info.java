/**
 * How a person asks: the program behind {@code errand VERB}.
 *
 * <p>Here its parts are put together, and nothing else is done.
 *
 * <p>May depend on: cli.command, cli.launch, cli.terminal, wire.client, wire.home.
 */
@NullMarked
package dev.errand.cli;

import org.jspecify.annotations.NullMarked;
