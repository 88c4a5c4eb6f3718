package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.host.protocol.HostRequest;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host is asked to start. */
final class SpawnRequestsTest {
  @TempDir Path home;
  private final EngineFixture fixture = new EngineFixture();
  private final TaskId taskId = fixture.claimed();

  private HostRequest.Spawn request(Environment environment) {
    var claimed = (TaskState.Claimed) fixture.state(taskId);
    var command = (Command) claimed.facts().spec().work();
    var asked =
        new Command(
            command.toolName(),
            command.invocation(),
            command.cwd(),
            environment,
            command.io(),
            command.limits(),
            command.onRestart());
    var secrets = new SecretFiles(home.resolve("secrets"));
    var sending = new HostPool.Sending(false, secrets, () -> false, home);
    return SpawnRequests.of(taskId, claimed, asked, sending);
  }

  @Test
  void a_task_is_told_the_home_of_its_daemon() {
    var request = request(new Environment(Map.of("CI", "true"), Set.of()));

    assertThat(request.surroundings().env())
        .isEqualTo(Map.of("CI", "true", "ERRAND_HOME", home.toString()));
  }

  @Test
  void a_home_that_the_caller_names_does_not_lead_the_task_elsewhere() {
    var request = request(new Environment(Map.of("ERRAND_HOME", "/elsewhere"), Set.of()));

    assertThat(request.surroundings().env()).isEqualTo(Map.of("ERRAND_HOME", home.toString()));
  }
}
