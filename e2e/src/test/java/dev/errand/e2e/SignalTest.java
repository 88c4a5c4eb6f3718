package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signals to a task whose processes have left its group. */
@Timeout(120)
final class SignalTest extends DaemonCase {

  @Test
  void it_is_heard_once_by_the_leader_and_by_each_who_left_the_group() throws Exception {
    var taskId = spawn("heard", "while :; do sleep 0.05; done");
    var left = awaitLeft("heard");
    var leader = Objects.requireNonNull(client.status(taskId).pid());

    sandbox.errand("signal", taskId.value(), "USR1").succeeded();
    awaitHeard("heard", List.of("leader", "orphan", "session"));
    client.signal(taskId, "USR1");
    // Who was told twice the first time would be heard three times now.
    awaitHeard("heard", List.of("leader", "leader", "orphan", "orphan", "session", "session"));

    client.cancel(taskId, "enough", null);
    var recording = Recording.of(client, taskId);
    assertThat(recording.ofType(FrameType.SIGNALLED))
        .hasSize(2)
        .allSatisfy(it ->
            assertThat(it.fields().numbers("outside"))
                .containsAll(left)
                .doesNotContain(leader)
                .doesNotHaveDuplicates());
    assertThat(left).noneMatch(Sandbox::isAlive);
  }

  @Test
  void stop_and_cont_hold_and_free_those_who_left_the_group() throws Exception {
    // A shell whose new process is stopped before it has become a program waits and does not stop.
    var taskId = spawn("held", "exec sleep 60");
    var all = new ArrayList<>(awaitLeft("held"));
    all.add(Objects.requireNonNull(client.status(taskId).pid()));

    client.signal(taskId, "STOP");
    await().atMost(Sandbox.PATIENCE).until(() -> all.stream().allMatch(SignalTest::isStopped));
    client.signal(taskId, "CONT");
    await().atMost(Sandbox.PATIENCE).until(() -> all.stream().noneMatch(SignalTest::isStopped));

    client.cancel(taskId, "enough", null);
    Recording.of(client, taskId);
    assertThat(all).noneMatch(Sandbox::isAlive);
  }

  @Test
  void a_task_all_of_whose_processes_are_in_its_group_has_nobody_outside() {
    var taskId = client.spawn(NewTask.shell("echo ready; sleep 60"));
    Sandbox.awaitOutput(client, taskId);

    client.signal(taskId, "KILL");

    var recording = Recording.of(client, taskId);
    assertThat(recording.status().signal()).isEqualTo("KILL");
    assertThat(recording.ofType(FrameType.SIGNALLED))
        .singleElement()
        .satisfies(it -> assertThat(it.fields().has("outside")).isFalse());
  }

  /** Has a child with a session of its own, and an orphan in another without a variable of ours. */
  private static TaskId spawn(String name, String rest) {
    var script =
        """
        hear='trap "echo $0 >>%1$s" USR1; echo $$ >>%1$s.pids; %2$s'
        trap 'echo leader >>%1$s' USR1
        setsid sh -c "$hear" session &
        (setsid env -i PATH="$PATH" sh -c "$hear" orphan &)
        %2$s
        """
            .formatted(file(name), rest);
    return client.spawn(NewTask.shell(script));
  }

  private static Path file(String name) {
    return sandbox.folder().resolve(name);
  }

  /** Who left the group, when both of them hear. */
  private static List<Long> awaitLeft(String name) throws IOException {
    await().atMost(Sandbox.PATIENCE).until(() -> lines(file(name + ".pids")).size() == 2);
    return lines(file(name + ".pids")).stream().map(Long::valueOf).toList();
  }

  private static void awaitHeard(String name, List<String> wanted) {
    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(
            () -> assertThat(lines(file(name)).stream().sorted().toList()).isEqualTo(wanted));
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static boolean isStopped(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
