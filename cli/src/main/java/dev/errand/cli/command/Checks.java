package dev.errand.cli.command;

import static java.util.stream.Collectors.joining;

import dev.errand.cli.launch.HostFolders;
import dev.errand.cli.launch.Installation;
import dev.errand.cli.launch.LaunchException;
import dev.errand.cli.launch.NotRunningException;
import dev.errand.cli.launch.Survey;
import dev.errand.cli.render.Sizes;
import dev.errand.core.error.ErrandException;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.home.ArtifactCheck;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The checks of {@code doctor}. Each checks one thing and never throws. */
final class Checks {
  private static final int JDK_MIN = 25;
  private static final long DISK_BYTES_FAIL = 100L << 20;
  private static final long DISK_BYTES_WARN = 2L << 30;
  private static final int OPEN_FILES_WARN = 4_096;
  private static final long ARTIFACT_BYTES_MAX = 2L << 30;
  private static final Duration ARTIFACT_TIME_MAX = Duration.ofSeconds(5);
  private static final int ARTIFACTS_SHOWN_MAX = 5;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);
  private static final Pattern OPEN_FILES = Pattern.compile("Max open files\\s+(\\S+)\\s+(\\S+)");
  private static final Pattern STRANGERS =
      Pattern.compile("(?m)^errand_hosts_of_other_journals (\\d+)");
  private static final Pattern ESCAPED = Pattern.compile("(?m)^errand\\w*escaped\\w* (\\d+)");

  private static final Pattern ESCAPED_PROCESS =
      Pattern.compile("(?m)^errand_host_escaped_process\\{pid=\"(\\d+)\".*name=\"([^\"]*)\"}");

  private static final Pattern SUSPECT = Pattern.compile("(?m)^errand_journal_suspect (\\d+)");

  private static final Pattern DAMAGED =
      Pattern.compile("(?m)^errand_journal_damaged_streams (\\d+)");

  private static final Pattern ARTIFACTS_DAMAGED =
      Pattern.compile("(?m)^errand_artifacts_damaged (\\d+)");

  private Checks() {}

  static List<Finding> all(Context context) {
    var findings = new ArrayList<Finding>();
    findings.add(jdk());
    findings.add(cache(context.installation()));
    var root = context.home().root();
    if (Files.exists(root)) {
      findings.add(home(root));
      findings.add(disk(root));
      findings.add(artifacts(context.home().artifacts()));
    } else {
      findings.add(Finding.ok("home", root + " does not exist yet"));
    }
    findings.add(openFiles());
    findings.addAll(daemon(context));
    Survey.loss(context.home())
        .ifPresent(it -> findings.add(Finding.warn("journal", it.sentence(), "errand recover")));
    findings.addAll(hosts(context));
    return findings;
  }

  private static Finding jdk() {
    var text = "Java " + Runtime.version() + " at " + System.getProperty("java.home");
    return Runtime.version().feature() >= JDK_MIN
        ? Finding.ok("jdk", text)
        : Finding.fail("jdk", text, "install a JDK " + JDK_MIN + " or set JAVA_HOME to one");
  }

  /** The JVM maps the cache only if it uses it. */
  private static Finding cache(Installation own) {
    var run = own.run();
    var file = run == null ? null : run.resolveSibling("aot").resolve("cli.aot");
    if (file == null || !Files.exists(file)) {
      return Finding.ok("cache", "no start-up cache yet; the launcher makes it after a build");
    }
    try {
      return Files.readString(Path.of("/proc/self/maps")).contains(file.toString())
          ? Finding.ok("cache", "the start-up cache is in use")
          : Finding.warn(
              "cache",
              "the start-up cache is not used, so commands start slower",
              "it was made by another JDK; run: make build");
    } catch (IOException e) {
      return Finding.ok("cache", "not known on this system");
    }
  }

  private static Finding home(Path root) {
    try {
      var attributes = Files.readAttributes(root, PosixFileAttributes.class);
      var owner = attributes.owner().getName();
      if (!owner.equals(System.getProperty("user.name"))) {
        return Finding.fail(
            "home", root + " belongs to " + owner, "set ERRAND_HOME to a folder that you own");
      }
      return OWNER_ONLY.containsAll(attributes.permissions())
          ? Finding.ok("home", root.toString())
          : Finding.fail(
              "home", root + " can be reached by other users", "chmod 700 '" + root + "'");
    } catch (IOException | UnsupportedOperationException e) {
      return Finding.fail("home", root + " cannot be read: " + e, "check its owner and mode");
    }
  }

  private static Finding disk(Path root) {
    try {
      var free = Files.getFileStore(root).getUsableSpace();
      var text = Sizes.text(free) + " free where " + root + " lies";
      if (free < DISK_BYTES_FAIL) {
        return Finding.fail("disk", text, "free disk space: errand rm --ended, errand gc");
      }
      return free < DISK_BYTES_WARN
          ? Finding.warn("disk", text, "free disk space soon: errand rm --ended, errand gc")
          : Finding.ok("disk", text);
    } catch (IOException e) {
      return Finding.warn("disk", "free space is not known: " + e, "");
    }
  }

  /** Reads artifacts for a few seconds; the daemon reads all of them, a part each hour. */
  private static Finding artifacts(Path folder) {
    var read = ArtifactCheck.run(folder, null, ARTIFACT_BYTES_MAX, ARTIFACT_TIME_MAX);
    var part = read.next() == null ? "" : ", not all within a few seconds";
    var text = "%d read (%s)%s".formatted(read.files(), Sizes.text(read.bytes()), part);
    if (read.damaged().isEmpty()) {
      return Finding.ok("artifacts", text + ": whole");
    }
    return Finding.warn(
        "artifacts",
        "%d of %s damaged: %s"
            .formatted(
                read.damaged().size(),
                text,
                read.damaged().stream().limit(ARTIFACTS_SHOWN_MAX).collect(joining(", "))),
        "check the disk; the remaining output of a task can be read with: errand logs ID");
  }

  private static Finding openFiles() {
    try {
      var limits = OPEN_FILES.matcher(Files.readString(Path.of("/proc/self/limits")));
      var hard = limits.find() ? limits.group(2) : "unlimited";
      var text = "open files: " + hard + " at most";
      return !hard.equals("unlimited") && Long.parseLong(hard) < OPEN_FILES_WARN
          ? Finding.warn("limits", text, "raise it with ulimit -Hn for many tasks at once")
          : Finding.ok("limits", text);
    } catch (IOException e) {
      return Finding.ok("limits", "not known on this system");
    }
  }

  private static List<Finding> daemon(Context context) {
    try (var client = context.daemon().connect()) {
      var version = client.version();
      var metrics = client.metrics();
      var findings = new ArrayList<Finding>();
      findings.add(build(version, context.installation()));
      findings.add(ready(client));
      findings.addAll(processes(client, metrics));
      findings.addAll(strangers(metrics));
      findings.add(journal(metrics));
      findings.addAll(scrubbed(metrics));
      return findings;
    } catch (NotRunningException e) {
      return withoutDaemon(context);
    } catch (ErrandException e) {
      return List.of(
          Finding.fail(
              "daemon", "it answers: " + e.getMessage(), "see " + context.home().daemonLog()));
    }
  }

  /** Without a daemon the journal is not open, so this checks whether a daemon could open it. */
  private static List<Finding> withoutDaemon(Context context) {
    var none = Finding.warn("daemon", "none runs", "errand up");
    if (!Files.exists(context.home().root())) {
      return List.of(none);
    }
    try {
      var journal = Survey.of(context.installation()).object("journal");
      var refusal = journal.textOrNull("refusal");
      var fault = journal.textOrNull("fault");
      if (refusal != null) {
        return List.of(none, Finding.fail("journal", refusal, "errand recover"));
      }
      return fault == null
          ? List.of(none)
          : List.of(none, Finding.fail("journal", "it cannot be read: " + fault, "errand recover"));
    } catch (LaunchException e) {
      return List.of(none);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(none);
    }
  }

  private static Finding build(JsonFields version, Installation own) {
    var daemon = version.text("build", "?");
    var text = "pid %d, build %s".formatted(version.number("pid", 0), daemon);
    return own.build() == null || own.build().equals(daemon)
        ? Finding.ok("daemon", text)
        : Finding.warn("daemon", text + "; this is build " + own.build(), "errand restart");
  }

  private static Finding ready(ErrandClient client) {
    return client
        .notReady()
        .map(it -> Finding.warn("ready", "the daemon accepts no tasks: " + it, "see daemon.log"))
        .orElseGet(() -> Finding.ok("ready", "the daemon takes tasks"));
  }

  private static List<Finding> strangers(String metrics) {
    var count = gauge(STRANGERS, metrics);
    return count == 0
        ? List.of()
        : List.of(
            Finding.warn(
                "journal",
                count
                    + " hosts belong to another journal; their tasks run and cannot be controlled",
                "errand down --all ends them with all other tasks"));
  }

  private static long gauge(Pattern gauge, String metrics) {
    var found = gauge.matcher(metrics);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  /** A daemon of another build may only have their number. */
  private static List<Finding> processes(ErrandClient client, String metrics) {
    try {
      return LeftProcessFindings.findings(client.processes());
    } catch (ErrandException e) {
      return List.of(escaped(metrics));
    }
  }

  private static Finding escaped(String metrics) {
    var count = gauge(ESCAPED, metrics);
    return count == 0
        ? Finding.ok("escaped", "no process has left its task")
        : Finding.warn(
            "escaped",
            count + " running processes belong to no task" + escapedNames(metrics),
            "list them with: ps -eo pid,ppid,lstart,cmd; end those that you do not want");
  }

  private static Finding journal(String metrics) {
    var damaged = gauge(DAMAGED, metrics);
    if (gauge(SUSPECT, metrics) > 0) {
      return Finding.warn(
          "journal",
          "its file is damaged; tasks and sessions with a damaged record: " + damaged,
          "errand restart checks all of it and repairs what it can; check the disk");
    }
    return damaged == 0
        ? Finding.ok("journal", "no damage was found")
        : Finding.warn(
            "journal",
            "tasks and sessions with a record that cannot be repaired: " + damaged,
            "check the disk; errand rm removes such a task");
  }

  /** Damaged artifacts that the daemon found. */
  private static List<Finding> scrubbed(String metrics) {
    var damaged = gauge(ARTIFACTS_DAMAGED, metrics);
    return damaged == 0
        ? List.of()
        : List.of(
            Finding.warn(
                "artifacts",
                "the daemon has found %d damaged ones in all".formatted(damaged),
                "daemon.log names them; check the disk"));
  }

  private static String escapedNames(String metrics) {
    var names =
        ESCAPED_PROCESS
            .matcher(metrics)
            .results()
            .map(it -> it.group(1) + " (" + it.group(2) + ")")
            .collect(joining(", "));
    return names.isEmpty() ? "" : ": " + names;
  }

  private static List<Finding> hosts(Context context) {
    var own = context.installation().build();
    return HostFolders.alive(context.home()).stream()
        .map(it -> {
          var limits = it.limits().isEmpty() ? "" : ", " + it.limits();
          var text = "%s: pid %d, build %s%s".formatted(it.id(), it.pid(), it.build(), limits);
          return own == null || own.equals(it.build())
              ? Finding.ok("host", text)
              : Finding.ok("host", text + " (older; it stops when its tasks are over)");
        })
        .toList();
  }
}
