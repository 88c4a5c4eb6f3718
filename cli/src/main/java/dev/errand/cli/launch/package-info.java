/**
 * Starting and stopping the daemon from a command.
 *
 * <p>Only the launcher script is started, never a class of the daemon; the script selects the
 * build.
 *
 * <p>May depend on: cli.terminal, core.error, wire.client, wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.cli.launch;

import org.jspecify.annotations.NullMarked;
