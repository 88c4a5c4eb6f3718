package dev.errand.daemon.survey;

import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.store.sqlite.JournalProbe;
import dev.errand.host.HostFiles;
import dev.errand.host.HostLock;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host whose folder exists: its running processes, and the results of tasks that are not in the
 * journal.
 *
 * @param ended the exit codes of such tasks, as far as its records have them
 */
record HostSurvey(
    String id, long pid, boolean alive, List<Running> running, Map<TaskId, Integer> ended) {
  private static final int RECORDS = 1_000;

  /** The limit of records read. */
  private static final int RECORDS_MAX = 1_000_000;

  private static final String TASK_ID = "ERRAND_TASK_ID=";

  /** A child of the host; it leads a process group of its own. */
  record Running(long pid, TaskId taskId, boolean known, String command) {}

  static List<HostSurvey> of(Path hosts, JournalProbe journal, Time clock) throws IOException {
    if (!Files.isDirectory(hosts)) {
      return List.of();
    }
    List<Path> folders;
    try (var list = Files.list(hosts)) {
      folders = list.filter(Files::isDirectory).sorted().toList();
    }
    var surveys = new ArrayList<HostSurvey>();
    for (var folder : folders) {
      surveys.add(of(new HostFiles(folder), journal, clock));
    }
    return surveys;
  }

  private static HostSurvey of(HostFiles folder, JournalProbe journal, Time clock)
      throws IOException {
    var pid = pid(folder);
    var alive = !HostLock.isDead(folder.path());
    var running =
        ProcessHandle.of(pid).filter(_ -> alive).map(it -> running(it, journal)).orElse(List.of());
    return new HostSurvey(
        folder.path().getFileName().toString(), pid, alive, running, ended(folder, journal, clock));
  }

  private static long pid(HostFiles folder) {
    try {
      return Long.parseLong(Files.readString(folder.pid()).strip());
    } catch (IOException | NumberFormatException _) {
      return 0;
    }
  }

  private static List<Running> running(ProcessHandle host, JournalProbe journal) {
    var running = new ArrayList<Running>();
    host.children()
        .sorted()
        .forEach(child ->
            taskOf(child.pid())
                .ifPresent(taskId ->
                    running.add(
                        new Running(child.pid(), taskId, journal.knows(taskId), command(child)))));
    return running;
  }

  private static Optional<TaskId> taskOf(long pid) {
    try {
      var environment = Files.readString(proc(pid, "environ"), StandardCharsets.ISO_8859_1);
      for (var variable : environment.split("\0", -1)) {
        if (variable.startsWith(TASK_ID)) {
          return Optional.of(new TaskId(variable.substring(TASK_ID.length())));
        }
      }
    } catch (IOException | IllegalArgumentException _) {
      // It has ended, or is not a task.
    }
    return Optional.empty();
  }

  private static String command(ProcessHandle process) {
    return process.info().commandLine().or(() -> process.info().command()).orElse("?");
  }

  private static Path proc(long pid, String name) {
    return Path.of("/proc", Long.toString(pid), name);
  }

  private static Map<TaskId, Integer> ended(HostFiles folder, JournalProbe journal, Time clock)
      throws IOException {
    var ended = new LinkedHashMap<TaskId, Integer>();
    try (var reader = new RecordReader(folder.records(), clock)) {
      reader.finished();
      var read = 0;
      for (var some = reader.next(RECORDS);
          !some.isEmpty() && read < RECORDS_MAX;
          some = reader.next(RECORDS)) {
        read += some.size();
        for (var record : some) {
          if (record instanceof HostRecord.Exited it && !journal.knows(it.taskId())) {
            ended.put(it.taskId(), it.code());
          }
        }
      }
    }
    return ended;
  }

  void write(JsonWriter out) {
    out.text("id", id)
        .number("pid", pid)
        .bool("alive", alive)
        .array(
            "running",
            list ->
                running.forEach(it ->
                    list.item(o ->
                        o.number("pid", it.pid())
                            .text("task_id", it.taskId().value())
                            .bool("known", it.known())
                            .text("command", it.command()))))
        .array(
            "ended_unknown",
            list ->
                ended.forEach((taskId, code) ->
                    list.item(o -> o.text("task_id", taskId.value()).number("exit_code", code))));
  }
}
