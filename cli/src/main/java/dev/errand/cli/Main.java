package dev.errand.cli;

import dev.errand.cli.command.Cli;
import dev.errand.cli.command.Context;
import dev.errand.cli.launch.DaemonLauncher;
import dev.errand.cli.launch.Installation;
import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.Terminal;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.home.StartEnvironment;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.InstantSource;

/** The composition root of the command line. */
public final class Main {

  private Main() {}

  public static void main(String[] given) {
    var words = TypedArguments.asTyped(given);
    if (words.isEmpty()) {
      System.err.println(
          "errand: an argument is not valid UTF-8 and would be changed; pass such bytes in"
              + " a file or on standard input");
      Runtime.getRuntime().halt(2);
    }
    // Most commands call the daemon, so its client is loaded in the background meanwhile.
    ErrandClient.warmUp();
    // All output is written; a normal exit would first load the JDK's loggers.
    Runtime.getRuntime().halt(new Cli(context()).run(words.get()));
  }

  static Context context() {
    var environment = StartEnvironment.of(System.getenv());
    var home = ErrandHome.of(environment);
    var installation = Installation.here();
    var console =
        new Console(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            Terminal.detect(environment));
    var daemon = new DaemonLauncher(home, installation, environment, console);
    return new Context(console, environment, home, installation, daemon, InstantSource.system());
  }
}
