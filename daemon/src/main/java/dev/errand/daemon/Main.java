package dev.errand.daemon;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.config.ConfigFile;
import dev.errand.daemon.config.ConfigJson;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.home.HomeRefused;
import dev.errand.daemon.survey.HomeSurvey;
import dev.errand.host.linux.OwnProcess;
import dev.errand.wire.fault.Failpoint;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.json.Json;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** {@code errand serve}: runs the daemon in the foreground until it is told to stop. */
public final class Main {
  private static final int USAGE = 2;
  private static final int CANNOT_START = 1;

  private static final int BY_SIGNAL = 128;
  private static final int SIGINT = 2;
  private static final int SIGTERM = 15;

  private static final String HELP =
      """
      Usage: errand serve [--http ADDRESS] [--read-only | --adopt | --new-journal]
             errand serve --check FILE | --survey

      Runs the daemon in the foreground; `errand up` runs it in the background. It always listens on
      the Unix socket in the home folder.

        --http ADDRESS   also listen on TCP, e.g. 127.0.0.1:7717; port 0 picks a free one.
                         Clients show the token that lies in the home folder.
        --read-only      only show what is recorded: no task is begun, ended or settled. Also for a
                         journal that belongs to another home.
        --adopt          make the journal in this home its own, as errand adopt does
        --new-journal    move what lies in the place of the journal aside and begin a new one, as
                         errand recover --new-journal does
        --survey         print what lies in the home, as errand recover --json does, and stop
        --check FILE     read that file, or - for standard input, as settings, print what would be
                         in force, and stop
        --help           print this

      SIGHUP makes the daemon read its settings again. Ctrl-C or SIGTERM stops the daemon. Tasks go
      on in their host unless tasks.on_stop says otherwise; `errand down --all` ends them.
      """;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    @Nullable String http = null;
    var mode = StartMode.SERVE;
    var words = new ArrayDeque<>(List.of(args));
    while (!words.isEmpty()) {
      var word = words.removeFirst();
      if (word.equals("--help") || word.equals("-h")) {
        System.out.print(HELP);
        return 0;
      }
      if (word.equals("--check") && words.size() == 1) {
        return check(words.removeFirst());
      }
      if (word.equals("--survey") && words.isEmpty()) {
        return survey();
      }
      if (word.equals("--read-only")) {
        mode = StartMode.READ_ONLY;
      } else if (word.equals("--adopt")) {
        mode = StartMode.ADOPT;
      } else if (word.equals("--new-journal")) {
        mode = StartMode.NEW_JOURNAL;
      } else if (word.startsWith("--http=")) {
        http = word.substring("--http=".length());
      } else if (word.equals("--http") && !words.isEmpty()) {
        http = words.removeFirst();
      } else {
        return fail(
            USAGE, "unknown argument of errand serve: " + word + "; see: errand serve --help");
      }
    }
    return serve(http, mode);
  }

  private static int serve(@Nullable String http, StartMode mode) {
    var home = ErrandHome.of(System.getenv());
    Logging.toStandardError(home.daemonLog());
    Failpoint.check();
    try (var daemon = Daemon.start(home, Configuration.open(home.config(), http), mode)) {
      var exitCode = new AtomicInteger();
      listenToSignals(daemon, exitCode);
      Runtime.getRuntime().addShutdownHook(new Thread(daemon::stopWithJvm, "stop"));
      OwnProcess.compileNicely();
      System.err.println("errand: listening on " + daemon.addresses());
      daemon.awaitStop();
      return exitCode.get();
    } catch (HomeRefused | ErrandException e) {
      return fail(CANNOT_START, e.getMessage());
    } catch (IOException e) {
      return fail(CANNOT_START, "cannot start: " + reason(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CANNOT_START;
    }
  }

  /** The message of a failure; for exceptions of the system with their type. */
  private static String reason(IOException e) {
    return e.getClass() == IOException.class && e.getMessage() != null
        ? e.getMessage()
        : e.toString();
  }

  /**
   * By default the JVM exits at once on these signals, without a second one and without log lines.
   * SIGHUP of a terminal keeps its default.
   */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null without a terminal.
  private static void listenToSignals(Daemon daemon, AtomicInteger exitCode) {
    Signals.listen("TERM", () -> stop(daemon, exitCode, SIGTERM));
    Signals.listen("INT", () -> stop(daemon, exitCode, SIGINT));
    if (System.console() == null) {
      Signals.listen("HUP", daemon::reload);
    }
  }

  /** The exit code has the signal, as in a shell. */
  private static void stop(Daemon daemon, AtomicInteger exitCode, int signal) {
    exitCode.set(BY_SIGNAL + signal);
    daemon.stop();
  }

  /** For a check without a running daemon, or before a reload. */
  private static int check(String name) {
    var file = Path.of(name);
    try {
      var loaded =
          name.equals("-") ? ConfigFile.load("standard input", System.in) : ConfigFile.load(file);
      System.out.println(Json.text(ConfigJson.of(file, loaded.settings())));
      return 0;
    } catch (ErrandException e) {
      return fail(USAGE, e.getMessage());
    } catch (IOException e) {
      return fail(USAGE, file + " cannot be read: " + e);
    }
  }

  /** For recovery after a loss, with or without a running daemon. */
  private static int survey() {
    var home = ErrandHome.of(System.getenv());
    if (!Files.isDirectory(home.root())) {
      return fail(USAGE, home.root() + " does not exist, so there is nothing to recover in it");
    }
    try {
      NativeLibraries.unpackForNow();
      System.out.println(new String(HomeSurvey.of(home, new SystemTime()), StandardCharsets.UTF_8));
      return 0;
    } catch (IOException e) {
      return fail(CANNOT_START, home.root() + " cannot be read: " + e);
    } catch (ErrandException e) {
      return fail(CANNOT_START, e.getMessage());
    }
  }

  private static int fail(int code, @Nullable String message) {
    System.err.println("errand: " + message);
    return code;
  }
}
