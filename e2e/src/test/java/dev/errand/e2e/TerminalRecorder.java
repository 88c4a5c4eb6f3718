package dev.errand.e2e;

import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskScreen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Records runs at a terminal with the real program, as {@link LogRecorder} does for others: the
 * frames, the status, the {@code pty} log, and some of the screens that were seen. What was
 * recorded before is never recorded again.
 */
final class TerminalRecorder {
  private static final int LOG_BYTES_MAX = 1 << 20;

  private final ErrandClient client;
  private final Path folder;
  private final List<TaskScreen> seen = new ArrayList<>();

  private TerminalRecorder(ErrandClient client, Path folder) {
    this.client = client;
    this.folder = folder;
  }

  public static void main(String[] words) throws IOException, InterruptedException {
    var folder = Files.createDirectories(Path.of(words[0]));
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        new TerminalRecorder(client, folder).vim();
        new TerminalRecorder(client, folder).less();
        new TerminalRecorder(client, folder).bash();
      }
    }
  }

  private void vim() throws IOException {
    var taskId =
        spawn(NewTask.program(List.of("vim", "-u", "NONE", "-N", "--cmd", "set laststatus=2")));
    see(taskId, "[No Name]");
    client.keys(taskId, List.of("i"));
    see(taskId, "-- INSERT --");
    type(taskId, "Grüße\t漢字 🙂");
    client.keys(taskId, List.of("Enter", "x", "Escape", "y", "y", "3", "0", "p"));
    see(taskId, "30 more lines");
    client.resize(taskId, new TerminalSize(18, 60));
    type(taskId, ":vsplit\r");
    see(taskId, "|");
    type(taskId, ":qa!\r");
    write("terminal-vim", taskId);
  }

  private void less() throws IOException {
    var taskId = spawn(NewTask.shell("seq -f 'line %g: Grüße 漢字' 1 60 | less -S"));
    see(taskId, "line 11:");
    client.keys(taskId, List.of("Space"));
    see(taskId, "line 22:");
    client.resize(taskId, new TerminalSize(6, 40));
    client.keys(taskId, List.of("G"));
    see(taskId, "line 60:");
    client.keys(taskId, List.of("q"));
    write("terminal-less", taskId);
  }

  private void bash() throws IOException {
    var taskId = spawn(NewTask.program(List.of("bash", "--norc", "--noprofile")).env("PS1", "$ "));
    see(taskId, "$");
    type(taskId, "printf '\\033]0;a title\\007\\033[1;31mred\\033[m 漢字\\n'\r");
    see(taskId, "red 漢字");
    type(taskId, "cat\rtyped\r");
    see(taskId, "typed");
    client.keys(taskId, List.of("C-c"));
    see(taskId, "^C");
    type(taskId, "exit 3\r");
    write("terminal-bash", taskId);
  }

  private TaskId spawn(NewTask task) {
    return client.spawn(
        task.cwd("/")
            .session("recorded")
            .env("LC_ALL", "C.UTF-8")
            .env("LESS", "")
            .pty(new TerminalSize(12, 50)));
  }

  private void type(TaskId taskId, String text) {
    client.stdin(taskId, text.getBytes(StandardCharsets.UTF_8), false);
  }

  /** Waits until it is seen, and keeps what is. */
  private void see(TaskId taskId, String text) {
    seen.add(
        await()
            .atMost(Sandbox.PATIENCE)
            .until(
                () -> client.screen(taskId, null),
                it -> String.join("\n", it.lines()).contains(text)));
  }

  private void write(String name, TaskId taskId) throws IOException {
    client.waitEnd(taskId, Sandbox.PATIENCE);
    seen.add(client.screen(taskId, null));
    var frames = Recording.frames(client, taskId);
    Files.writeString(
        folder.resolve(name + ".jsonl"),
        frames.stream().map(it -> it.text() + "\n").collect(Collectors.joining()));
    Files.writeString(folder.resolve(name + ".status.json"), client.status(taskId).text() + "\n");
    Files.write(
        folder.resolve(name + ".pty"),
        client.output(taskId, LogStream.PTY, 0, LOG_BYTES_MAX).bytes());
    Files.writeString(
        folder.resolve(name + ".screens"),
        seen.stream().map(it -> it.text() + "\n").collect(Collectors.joining()));
  }
}
