package dev.errand.daemon.screen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.frame.Frame;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.daemon.output.LogStore;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFrameCodec;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs at a terminal that were recorded with the real program: their frames and logs give the
 * screens that were seen then, for ever.
 */
final class GoldenScreensTest {
  private static final Path RECORDED =
      Path.of(System.getProperty("errand.root", ".."), "e2e/src/test/resources/recorded");

  @TempDir Path folder;

  static List<Path> recordings() throws IOException {
    try (var files = Files.walk(RECORDED)) {
      var found = files.filter(it -> it.toString().endsWith(".screens")).sorted().toList();
      assertThat(found).isNotEmpty();
      return found;
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void what_was_seen_is_seen_again(Path recording) throws Exception {
    var base = recording.toString().replace(".screens", "");
    var run =
        new Run(
            Files.readAllLines(Path.of(base + ".jsonl")),
            Files.readAllBytes(Path.of(base + ".pty")));
    var screens =
        new Screens(
            run,
            run,
            new KeptScreens(folder),
            Screens.Limits.DEFAULTS,
            _ -> Optional.empty(),
            new SystemTime());
    for (var line : Files.readAllLines(recording)) {
      var seen = Json.read(line.getBytes(UTF_8));
      var taskId = new TaskId(seen.path("task_id").stringValue());
      var view = screens.view(DirectShare.INSTANCE, taskId, seen.path("seq").longValue(), false);

      // A screen may be told with more some day, behind what is told now.
      assertThat(ScreenText.json(taskId, view).toString())
          .as("%s", recording.getFileName())
          .startsWith(line.substring(0, line.length() - 1));
    }
  }

  /** Frames and log of one task. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Run(List<String> lines, byte[] log) implements Recording, LogStore {
    private static final JsonFrameCodec CODEC = new JsonFrameCodec();

    @Override
    public List<Frame.OfTask> frames(TaskId taskId, long afterSeq, int limit) {
      var frames = new ArrayList<Frame.OfTask>();
      for (var seq = (int) afterSeq + 1; seq < lines.size() && frames.size() < limit; seq++) {
        frames.add(CODEC.decodeTask(new EncodedFrame(seq, lines.get(seq).getBytes(UTF_8))));
      }
      return frames;
    }

    @Override
    public long lastSeq(TaskId taskId) {
      return lines.size() - 1L;
    }

    @Override
    public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
      var end = Math.min(log.length, offset + max);
      return Arrays.copyOfRange(log, (int) offset, (int) Math.max(offset, end));
    }

    @Override
    public long total(TaskId taskId, LogStream stream) {
      return log.length;
    }

    @Override
    public List<TaskId> olderThan(long beforeMs) {
      return List.of();
    }

    @Override
    public void delete(TaskId taskId) {}
  }
}
