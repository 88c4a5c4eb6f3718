package dev.errand.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.ResourceLimits;
import dev.errand.host.linux.OwnProcess;
import org.junit.jupiter.api.Test;

final class LimitMechanismsTest {
  private static final ResourceLimits PROCESSES = new ResourceLimits(null, 9L, null, null, null);

  @Test
  void without_a_group_nobody_counts_the_processes_of_root_so_the_limit_is_refused_by_name() {
    var mechanisms = LimitMechanisms.withoutGroups();

    if (OwnProcess.isSuperuser()) {
      assertThat(mechanisms.refusal(PROCESSES))
          .hasValueSatisfying(it -> assertThat(it).contains("root"));
      assertThat(mechanisms.mechanisms()).contains("limits.processes=none");
    } else {
      assertThat(mechanisms.refusal(PROCESSES)).isEmpty();
      assertThat(mechanisms.mechanisms()).contains("limits.processes=rlimit");
    }
    assertThat(mechanisms.refusal(new ResourceLimits(1L << 20, null, 1L, 9L, 1L))).isEmpty();
    assertThat(mechanisms.mechanisms()).contains("limits.memory=rlimit");
  }

  @Test
  void what_asks_for_no_limits_gets_no_cage() throws Exception {
    assertThat(LimitMechanisms.withoutGroups().open(ResourceLimits.NONE, 1)).isNull();
  }
}
