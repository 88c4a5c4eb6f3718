package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskState;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeadHostSettlementTest {

  @Test
  void a_claim_that_is_given_up_late_leaves_the_next_attempt_alone(@TempDir Path folder) {
    var fixture = new LinkFixture(folder);
    var engine = fixture.tasks.engine;
    var taskId = fixture.tasks.claimed();
    var first = ((TaskState.Claimed) fixture.tasks.state(taskId)).attempt();
    fixture.settlement.giveUpClaim(taskId, first);
    assertThat(fixture.tasks.state(taskId)).isInstanceOf(TaskState.Queued.class);
    engine.submit(taskId, new TaskCommand.Claim.OnHost("host-b"), null).orThrow();

    fixture.settlement.giveUpClaim(taskId, first);

    assertThat(fixture.tasks.state(taskId))
        .isInstanceOfSatisfying(
            TaskState.Claimed.class, it -> assertThat(it.attempt().number()).isEqualTo(2));
  }
}
