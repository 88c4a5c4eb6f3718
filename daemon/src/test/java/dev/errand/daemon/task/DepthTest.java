package dev.errand.daemon.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.Plan;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.TestDaemon;
import dev.errand.daemon.tool.CallOptions;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.json.Json;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** How deep tasks start tasks, by calls that wait for them and by calls that do not. */
final class DepthTest {
  private static final SessionId SESSION = new SessionId("deep");
  private static final String SPAWN = "{'action':'spawn','command':'make','lane':''}";
  private static final String WAITED = "{'command':'make'}";

  @TempDir Path folder;
  private TestDaemon daemon;

  @BeforeEach
  void open() throws IOException {
    daemon = TestDaemon.open(folder, new SystemTime(), "");
  }

  @AfterEach
  void close() {
    daemon.close();
  }

  /** A process inside that task. */
  private static Caller inside(TaskId taskId) {
    return Caller.task(taskId, SESSION, Profile.FULL_AUTO);
  }

  private ToolResult shell(Caller caller, String arguments) throws InterruptedException {
    var ask = Ask.of(caller, null, new WaitSlots(9), _ -> {});
    var tool = daemon.tools().get("shell");
    var body =
        (ObjectNode) Json.read(arguments.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    return tool.call(daemon.tools().call(tool, ask, body, CallOptions.NOTHING));
  }

  private TaskId spawned(Caller caller) throws InterruptedException {
    var run = shell(caller, SPAWN).structured().path("run_id").stringValue("");
    daemon.host().start(new TaskId(run));
    return new TaskId(run);
  }

  private Plan plan(TaskId taskId) {
    var state = (TaskState.Present) daemon.engine().snapshot(taskId).state();
    return state.facts().spec().plan();
  }

  private Set<TaskId> live() {
    return daemon.engine().live().stream().map(it -> it.taskId()).collect(Collectors.toSet());
  }

  /** The command of a call that waits, while it waits. */
  private Plan whileWaitedFor(Caller caller) {
    var before = live();
    var call =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return shell(caller, WAITED);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            Thread::startVirtualThread);
    await().until(() -> live().size() == before.size() + 1);
    var more = new HashSet<>(live());
    more.removeAll(before);
    var taskId = more.iterator().next();
    var plan = plan(taskId);
    daemon.host().start(taskId);
    daemon.host().exit(taskId, 0, null);
    assertThat(call.join().isError()).isFalse();
    return plan;
  }

  @Test
  void a_call_of_a_client_is_as_deep_as_the_client_waited_for_or_not() throws Exception {
    assertThat(plan(spawned(Caller.PERSON)).depth()).isZero();
    assertThat(whileWaitedFor(Caller.PERSON).depth()).isZero();
  }

  @Test
  void a_call_of_a_process_in_a_task_is_one_deeper_than_the_task_waited_for_or_not()
      throws Exception {
    var first = spawned(Caller.PERSON);
    var second = spawned(inside(first));

    assertThat(plan(second).depth()).isEqualTo(1);
    assertThat(plan(spawned(inside(second))).depth()).isEqualTo(2);
    var waited = whileWaitedFor(inside(second));
    assertThat(waited.depth()).isEqualTo(2);
    assertThat(waited.parent()).isEqualTo(second);
  }

  @Test
  void too_deep_is_refused_with_the_depth_the_limit_and_what_to_do() throws Exception {
    var deepest = spawned(Caller.PERSON);
    for (var depth = 1; depth <= 3; depth++) {
      deepest = spawned(inside(deepest));
      assertThat(plan(deepest).depth()).isEqualTo(depth);
    }
    var caller = inside(deepest);

    for (var arguments : new String[] {SPAWN, WAITED}) {
      assertThatThrownBy(() -> shell(caller, arguments))
          .isInstanceOfSatisfying(
              ErrandException.class,
              it -> assertThat(it.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
          .hasMessage(
              "this task would be at depth 4 (the number of tasks above it), and max_depth allows 3;"
                  + " start it from a task that is higher up, or raise max_depth in [tasks] of"
                  + " config.toml");
    }
  }
}
