package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.host.record.Extent;
import dev.errand.host.record.Stamp;
import dev.errand.host.record.StreamEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host recorded, in the words of the core. */
final class FactsTest {
  private static final TaskId TASK = new TaskId("0198c000-0000-7000-8000-000000000001");

  @Test
  void the_log_of_a_later_attempt_ends_behind_what_was_there_before(@TempDir Path folder)
      throws IOException {
    var facts = new Facts(new LinkFixture(folder).logs);
    var own = new StreamEnd(LogStream.STDOUT, 3, 3, 0, "ab".repeat(32), List.of(new Extent(5, 8)));

    var end = LinkFixture.exited(new Stamp(TASK, 2, 9, 1_000), List.of(own));
    var fact = facts.of(end, 1).orElseThrow();

    assertThat(((HostFact.Exited) fact).logs().getFirst().bytesTotal()).isEqualTo(8);
  }
}
