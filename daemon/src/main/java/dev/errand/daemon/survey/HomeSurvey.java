package dev.errand.daemon.survey;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.home.HomeRefused;
import dev.errand.daemon.home.JournalOwnership;
import dev.errand.daemon.store.JournalSize;
import dev.errand.daemon.store.sqlite.JournalFile;
import dev.errand.daemon.store.sqlite.JournalProbe;
import dev.errand.host.log.LogFolders;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.LossFile;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Describes a home as one JSON object. */
public final class HomeSurvey {
  /** Limit of named tasks of one kind; all are counted. */
  private static final int NAMED_MAX = 1_000;

  private final ErrandHome home;
  private final JournalProbe journal;
  private final Time clock;

  private HomeSurvey(ErrandHome home, JournalProbe journal, Time clock) {
    this.home = home;
    this.journal = journal;
    this.clock = clock;
  }

  public static byte[] of(ErrandHome home, Time clock) throws IOException {
    try (var journal = JournalProbe.at(home.database())) {
      return new HomeSurvey(home, journal, clock).encode();
    }
  }

  private byte[] encode() throws IOException {
    var folders = new LogFolders(home.logs());
    var logged = folders.all();
    var unknown =
        logged.stream()
            .filter(it -> !journal.knows(it))
            .sorted(Comparator.comparing(TaskId::value).reversed())
            .toList();
    var refusal = refusal(logged.size());
    var aside = aside();
    var artifacts = files(home.artifacts());
    var hosts = HostSurvey.of(home.hosts(), journal, clock);
    var loss = loss();
    return JsonWriter.object(out -> {
      out.text("home", home.root().toString())
          .object("journal", it -> journal(it, refusal))
          .texts("aside", aside);
      loss.ifPresent(it ->
          out.object(
              "loss",
              o ->
                  o.number("tasks_known", it.tasksKnown())
                      .number("tasks_found", it.tasksFound())
                      .text("noticed_at", it.noticedAt().toString())
                      .text("text", it.sentence())));
      out.number("unknown_tasks_with_logs", unknown.size())
          .array(
              "logs",
              list ->
                  unknown.stream()
                      .limit(NAMED_MAX)
                      .forEach(it -> list.item(o -> logs(o, it, folders.of(it)))))
          .object(
              "artifacts",
              it ->
                  it.text("folder", home.artifacts().toString())
                      .number("files", artifacts.size())
                      .number("bytes", bytes(artifacts)))
          .array("hosts", list -> hosts.forEach(it -> list.item(it::write)));
    });
  }

  private void journal(JsonWriter out, Optional<String> refusal) {
    var known = JournalSize.NOTHING;
    try {
      known = JournalOwnership.of(home).known();
    } catch (IOException _) {
      // The refusal names it.
    }
    out.text("file", home.database().toString())
        .text("state", state(refusal.isPresent()))
        .text("fault", journal.fault().orElse(null))
        .number("tasks", journal.size().tasks())
        .number("tasks_known", known.tasks())
        .text("refusal", refusal.orElse(null));
  }

  private String state(boolean refused) {
    if (journal.fault().isPresent()) {
      return "damaged";
    }
    if (journal.size().position() > 0) {
      return "readable";
    }
    return refused ? "gone" : "new";
  }

  /** Why a start would be refused; empty if it would not. */
  private Optional<String> refusal(int tasksWithLogs) throws IOException {
    if (journal.fault().isPresent()) {
      return Optional.empty();
    }
    try {
      var ownership = JournalOwnership.of(home);
      if (journal.size().position() == 0) {
        ownership.checkNew(tasksWithLogs);
      }
      ownership.check(journal.mark(), journal.size());
      return Optional.empty();
    } catch (HomeRefused e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  private Optional<LossFile> loss() throws IOException {
    try {
      return Optional.of(LossFile.decode(Files.readAllBytes(home.loss())));
    } catch (NoSuchFileException | ErrandException _) {
      return Optional.empty();
    }
  }

  private static void logs(JsonWriter out, TaskId taskId, Path folder) {
    out.text("task_id", taskId.value())
        .text("folder", folder.toString())
        .number("bytes", bytes(files(folder)));
  }

  /** Journals that were moved aside earlier. */
  private List<String> aside() throws IOException {
    try (var files = Files.list(home.root())) {
      return files.filter(JournalFile::isAside).map(Path::toString).sorted().toList();
    }
  }

  private static List<Path> files(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var tree = Files.walk(folder)) {
      return tree.filter(Files::isRegularFile).toList();
    } catch (IOException | UncheckedIOException _) {
      // It changed while it was read.
      return List.of();
    }
  }

  private static long bytes(List<Path> files) {
    return files.stream().mapToLong(it -> it.toFile().length()).sum();
  }
}
