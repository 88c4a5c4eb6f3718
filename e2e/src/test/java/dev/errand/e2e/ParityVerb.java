package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.Until;
import dev.errand.wire.json.Json;
import java.security.MessageDigest;
import java.util.HexFormat;

/** The rows of the parity table: each verb with what it does, whichever surface is asked. */
enum ParityVerb {
  SPAWN((surface, given) -> {
    var taskId = surface.spawn("echo out; echo err >&2; exit 3");

    var recording = Recording.of(given.owner(), taskId);
    assertThat(recording.status().exitCode()).isEqualTo(3);
    assertThat(recording.stdout().text()).isEqualTo("out\n");
    assertThat(recording.stderr().text()).isEqualTo("err\n");
  }),
  STATUS((surface, given) -> {
    var taskId = given.ended();

    var status = Json.read(given.owner().status(taskId).text().getBytes(UTF_8));
    assertThat(Json.text(WithoutEmpty.of(surface.status(taskId))))
        .isEqualTo(Json.text(WithoutEmpty.of(status)));
  }),
  LIST((surface, given) -> {
    var ended = given.ended();
    var running = given.running("sleep 600");

    assertThat(surface.list())
        .containsEntry(running, "running")
        .containsKey(ended)
        .hasSizeGreaterThan(1);
    given.owner().cancel(running, null, Sandbox.PATIENCE);
  }),
  OUTPUT((surface, given) -> {
    var taskId = given.ended();

    assertThat(surface.output(taskId, LogStream.STDOUT)).isEqualTo("out\nFAIL here\nend\n");
    assertThat(surface.output(taskId, LogStream.STDERR)).isEqualTo("err\n");
  }),
  SEARCH((surface, given) ->
      assertThat(surface.search(given.ended(), "^FAIL|end$")).containsExactly(2L, 3L)),
  EVENTS((surface, given) -> {
    var taskId = given.ended();

    assertThat(surface.events(taskId)).isEqualTo(Recording.of(given.owner(), taskId).types());
  }),
  WAIT((surface, given) ->
      assertThat(surface.await(given.spawned("sleep 0.2; exit 7"))).isEqualTo(7)),
  CANCEL((surface, given) -> {
    var taskId = given.running("sleep 600");

    surface.cancel(taskId, "enough");

    var status = given.owner().waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.status()).isEqualTo("cancelled");
    assertThat(status.message()).isEqualTo("enough");
  }),
  SIGNAL((surface, given) -> {
    var taskId = given.running("trap 'exit 9' USR1; echo on; while :; do sleep 0.05; done");
    Sandbox.awaitOutput(given.owner(), taskId);

    surface.signal(taskId, "USR1");

    assertThat(given.owner().waitEnd(taskId, Sandbox.PATIENCE).exitCode()).isEqualTo(9);
  }),
  STDIN((surface, given) -> {
    var taskId = given.owner().spawn(NewTask.shell("cat; exit 4").withStdin());
    given.awaitRunning(taskId);

    surface.stdin(taskId, "hello\n");

    var recording = Recording.of(given.owner(), taskId);
    assertThat(recording.stdout().text()).isEqualTo("hello\n");
    assertThat(recording.status().exitCode()).isEqualTo(4);
  }),
  RESIZE((surface, given) -> {
    var taskId = given.terminal();

    surface.resize(taskId, 40, 100);

    var fields = given.owner().status(taskId).fields();
    assertThat(fields.number("rows")).isEqualTo(40);
    assertThat(fields.number("cols")).isEqualTo(100);
    given.owner().cancel(taskId, null, Sandbox.PATIENCE);
  }),
  SCREEN((surface, given) -> {
    var taskId = given.terminal();

    assertThat(surface.screen(taskId)).contains("seen here");
    given.owner().cancel(taskId, null, Sandbox.PATIENCE);
  }),
  APPROVE((surface, given) -> {
    var taskId = given.held();

    surface.approve(taskId);

    assertThat(given.owner().waitEnd(taskId, Sandbox.PATIENCE).exitCode()).isZero();
  }),
  DENY((surface, given) -> {
    var taskId = given.held();

    surface.deny(taskId, "not today");

    var status = given.owner().waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.reason()).isEqualTo("denied");
    assertThat(status.message()).contains("not today");
  }),
  REMOVE((surface, given) -> {
    var taskId = given.spawned("true");
    given.owner().waitEnd(taskId, Sandbox.PATIENCE);

    surface.remove(taskId);

    assertThatThrownBy(() -> given.owner().status(taskId))
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.TASK_REMOVED));
  }),
  STORE((surface, given) -> {
    var text = "kept by " + surface.getClass().getSimpleName();

    assertThat(surface.store(text)).isEqualTo(digest(text));
    assertThat(given.owner().artifacts().read(digest(text), 0, 100)).asString().isEqualTo(text);
  }),
  FETCH((surface, given) -> {
    var artifactId = given.owner().artifacts().put("to be fetched".getBytes(UTF_8));

    assertThat(surface.fetch(artifactId)).isEqualTo("to be fetched");
  });

  interface Claim {
    void check(SurfaceAdapter surface, Given given) throws Exception;
  }

  /**
   * Who sets a case up and looks at what came of it.
   *
   * @param owner may do everything
   * @param guest is held by the policy where its line begins with {@code echo held}
   */
  record Given(ErrandClient owner, ErrandClient guest) {
    TaskId spawned(String commandLine) {
      return owner.spawn(NewTask.shell(commandLine));
    }

    TaskId ended() {
      var taskId = spawned("echo out; echo FAIL here; echo end; echo err >&2; exit 3");
      owner.waitEnd(taskId, Sandbox.PATIENCE);
      return taskId;
    }

    TaskId running(String commandLine) {
      var taskId = spawned(commandLine);
      awaitRunning(taskId);
      return taskId;
    }

    void awaitRunning(TaskId taskId) {
      await().until(() -> owner.status(taskId).status().equals("running"));
    }

    TaskId terminal() {
      var taskId = owner.spawn(NewTask.shell("echo seen here; sleep 600").pty(24, 80));
      assertThat(owner.await(taskId, Until.screen("seen here"), Sandbox.PATIENCE).held())
          .isNotNull();
      return taskId;
    }

    TaskId held() {
      var taskId = guest.spawn(NewTask.shell("echo held"));
      assertThat(owner.status(taskId).isHeld()).isTrue();
      return taskId;
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // None of them holds anything.
  private final Claim claim;

  ParityVerb(Claim claim) {
    this.claim = claim;
  }

  void check(SurfaceAdapter surface, Given given) throws Exception {
    claim.check(surface, given);
  }

  private static String digest(String text) throws Exception {
    var sha256 = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return HexFormat.of().formatHex(sha256);
  }
}
