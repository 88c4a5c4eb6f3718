package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.host.linux.ProcFs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a task was recorded where nobody can read it any more. */
final class MissedExitsTest {
  private static final Duration SILENCE = Duration.ofSeconds(60);

  private final EngineFixture at = new EngineFixture();

  @Test
  void a_task_is_missed_when_its_process_is_gone_for_long_and_its_host_silent() throws Exception {
    var gone = at.running();
    var there = at.claimed();
    var own = ProcFs.stat(ProcessHandle.current().pid()).orElseThrow();
    var process = new ProcessIdentity(own.pid(), own.startTicks(), ProcFs.bootId(), 7);
    at.engine.submit(there, EngineFixture.report(new HostFact.Started(1, 2, process, 1_500)), null);
    at.claimed();
    var missed = new MissedExits(at.engine, EngineFixture.HOST, (_, _) -> false, SILENCE);
    var later = SILENCE.toNanos();

    assertThat(missed.find(0)).isEmpty();
    assertThat(missed.find(later - 1)).isEmpty();
    assertThat(missed.find(later)).extracting(Snapshot::taskId).containsExactly(gone);
    assertThat(new MissedExits(at.engine, "another", (_, _) -> true, Duration.ZERO).find(later))
        .isEmpty();
  }

  @Test
  void one_that_is_claimed_for_long_is_missed_where_its_host_says_that_it_is_over()
      throws Exception {
    var over = at.claimed();
    var running = at.claimed();
    var missed =
        new MissedExits(at.engine, EngineFixture.HOST, (taskId, _) -> taskId.equals(over), SILENCE);

    assertThat(missed.find(0)).isEmpty();
    var fresh = at.claimed();
    assertThat(missed.find(SILENCE.toNanos() - 1)).isEmpty();
    assertThat(missed.find(SILENCE.toNanos())).extracting(Snapshot::taskId).containsExactly(over);
    assertThat(List.of(running, fresh)).allMatch(at.engine::isLive);
  }
}
