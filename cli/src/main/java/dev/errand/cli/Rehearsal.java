package dev.errand.cli;

import dev.errand.cli.command.Cli;
import dev.errand.wire.client.ErrandClient;
import java.util.List;

/**
 * Runs the most common commands in one process, to record the classes for the start-up cache of the
 * command line. Every command loads the whole cache, so rare commands are left out. Started by the
 * build in a temporary home with a running daemon.
 */
public final class Rehearsal {
  private static final int TASKS = 40;

  private Rehearsal() {}

  public static void main(String[] words) {
    // One class that is not in the cache would open the jar.
    var _ = TypedArguments.asTyped(words);
    ErrandClient.warmUp();
    var cli = new Cli(Main.context());
    for (var i = 0; i < TASKS; i++) {
      play(cli, "spawn", "--name", "task" + i, "--", "echo", "line " + i);
    }
    for (var i = 0; i < 3; i++) {
      play(cli, "wait", "task" + i);
      play(cli, "ls");
      play(cli, "ls", "--json");
      play(cli, "status", "--json", "task" + i);
      play(cli, "logs", "task" + i);
    }
  }

  private static void play(Cli cli, String... words) {
    var code = cli.run(List.of(words));
    if (code != 0) {
      throw new IllegalStateException(String.join(" ", words) + " ended with " + code);
    }
  }
}
