package dev.errand.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.host.linux.OwnProcess;
import dev.errand.host.linux.ResourceLimit;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.RecordWriter;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Descriptors are counted as long as they are held. */
@Timeout(60)
final class DescriptorBudgetTest {
  /** With what is left for others, there is room for one task. */
  private static final int FOR_ONE_TASK = 64 + 3;

  @TempDir Path folder;

  @Test
  void what_is_kept_of_a_task_counts_until_it_lets_go_of_the_streams() throws Exception {
    OwnProcess.becomeSubreaper();
    var clock = new SystemTime();
    var budget = DescriptorBudget.of(ResourceLimit.OPEN_FILES.get(), FOR_ONE_TASK);
    var settings =
        new ProcessHost.Settings(
            Files.createDirectory(folder.resolve("logs")),
            budget,
            Duration.ofSeconds(1),
            LimitMechanisms.withoutGroups(),
            folder.resolve("gate"),
            "journal");
    var file = folder.resolve("kept");
    var records = Files.createDirectory(folder.resolve("records"));
    try (var writer = RecordWriter.open(records, 1 << 20, () -> {}, clock);
        var host = ProcessHost.start(writer, settings, clock)) {
      assertThat(starts(host, "sleep 300 & echo $! >" + file)).isTrue();
      await().until(() -> host.running() == 0);
      var kept = ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
      assertThat(kept.isAlive()).isTrue();

      assertThat(starts(host, "true")).isFalse();
      kept.destroyForcibly();

      await().until(() -> starts(host, "true"));
    }
  }

  private static boolean starts(ProcessHost host, String line) throws Exception {
    var request =
        new HostRequest.Spawn(
            new AttemptId(new TaskId(UUID.randomUUID().toString()), 1),
            "session-1",
            new HostRequest.Program.Command(line),
            new HostRequest.Surroundings("/", Map.of(), false),
            HostRequest.Limits.none(),
            HostRequest.Leftover.KEEP,
            false,
            Map.of());
    return host.spawn(request).get() instanceof Answer.Done<HostReply.Spawned>(var it)
        && it.started();
  }
}
