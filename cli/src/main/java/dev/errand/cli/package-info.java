/**
 * The command line program {@code errand COMMAND}.
 *
 * <p>This package only wires its parts.
 *
 * <p>May depend on: cli.command, cli.launch, cli.terminal, wire.client, wire.home.
 */
@NullMarked
package dev.errand.cli;

import org.jspecify.annotations.NullMarked;
