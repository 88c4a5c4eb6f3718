package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Records the runs that {@link GoldenLogsTest} folds, with the real program: a {@code main} to be
 * run once for each released format, with the folder to write to. What was recorded before is never
 * recorded again.
 */
final class LogRecorder {
  private static final int CAP_BYTES = 4 * 1024;

  private final ErrandClient client;
  private final Path folder;

  private LogRecorder(ErrandClient client, Path folder) {
    this.client = client;
    this.folder = folder;
  }

  public static void main(String[] words) throws IOException, InterruptedException {
    var folder = Files.createDirectories(Path.of(words[0]));
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        new LogRecorder(client, folder).recordAll();
      }
    }
  }

  private void recordAll() throws IOException {
    var exit = NewTask.shell("echo Grüße; echo oops >&2; exit 3").title("An exit").label("exit");
    write("exit", client.spawn(here(exit)));

    var cancelled = client.spawn(here(NewTask.shell("echo begun; exec sleep 1000")));
    await().until(() -> client.status(cancelled).bytesTotal(LogStream.STDOUT) > 0);
    assertThat(client.cancel(cancelled, "enough", Sandbox.PATIENCE).isEnded()).isTrue();
    write("cancel", cancelled);

    write("failed-start", client.spawn(here(NewTask.program(List.of("no-such-program", "-x")))));

    var capped = NewTask.shell("seq 1 3000").outputBytesMax(CAP_BYTES);
    write("over-the-cap", client.spawn(here(capped)));
  }

  /** In a folder that every machine has, so that nothing of this one is recorded. */
  private static NewTask here(NewTask task) {
    return task.cwd("/").session("recorded");
  }

  private void write(String name, TaskId taskId) throws IOException {
    client.waitEnd(taskId, Sandbox.PATIENCE);
    var status = client.status(taskId);
    var frames = Recording.frames(client, taskId);
    assertThat(frames.getLast().isTerminal()).isTrue();
    var lines = frames.stream().map(it -> it.text() + "\n").collect(Collectors.joining());
    Files.writeString(folder.resolve(name + ".jsonl"), lines);
    Files.writeString(folder.resolve(name + ".status.json"), status.text() + "\n");
  }
}
