package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.TestDaemon;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.host.linux.PeerProcess;
import dev.errand.testkit.SequentialIds;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process below a host that has no mark of a task: it is of some task, nobody knows of which.
 * Here that is this process itself, whose parent is taken for a host.
 */
final class UnmarkedProcessTest {
  @TempDir Path folder;
  private final SequentialIds ids = new SequentialIds();
  private TestDaemon daemon;

  @BeforeEach
  void take_the_parent_for_a_host() throws IOException {
    assertThat(PeerProcess.known()).isTrue();
    daemon = TestDaemon.open(folder, new SettableClock(Instant.EPOCH), "");
    var parent = ProcessHandle.current().parent().orElseThrow().pid();
    daemon.processes().start(it -> it.pid() == parent);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private TaskId running(@Nullable Profile profile) {
    var taskId = claimed(profile);
    daemon.host().start(taskId);
    return taskId;
  }

  private TaskId claimed(@Nullable Profile profile) {
    var spec = EngineFixture.spec();
    var ruled = profile == null ? spec : spec.ruled(allowed(profile));
    return spawned(new TaskCommand.Spawn(ruled, daemon.host().claim()));
  }

  private TaskId held() {
    var ruling = new Ruling(Profile.SAFE, new Ruling.Answer.Asked(9_000), "policy.rule 1", null);
    return spawned(new TaskCommand.Spawn(EngineFixture.spec().ruled(ruling), null));
  }

  private TaskId spawned(TaskCommand spawn) {
    var taskId = ids.nextTask();
    daemon.engine().submit(taskId, spawn, null).orThrow();
    return taskId;
  }

  private static Ruling allowed(Profile profile) {
    return new Ruling(profile, new Ruling.Answer.Allowed(), "policy.rule 1", null);
  }

  private void end(TaskId taskId) {
    daemon.host().exit(taskId, 0, null);
  }

  /** Who this process is, by a connection of its own. */
  private Caller peer() throws IOException {
    var address = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
        var _ = SocketChannel.open(address);
        var accepted = server.accept()) {
      return daemon.authenticator().peer(accepted);
    } finally {
      Files.delete(address.getPath());
    }
  }

  private void assertNotOwner(Caller caller) {
    assertThat(caller.inTask()).isTrue();
    assertThat(caller.isOwner()).isFalse();
    assertThat(caller.principal()).isEqualTo("task:unknown");
    var authorizer = new Authorizer(daemon.engine(), daemon.journal());
    var ask = Ask.of(caller, null, new WaitSlots(1), _ -> {});
    var held = held().value();
    assertForbidden(() -> authorizer.check(new Access.Owner(), ask, ""));
    assertForbidden(() -> authorizer.check(new Access.Decides(Access.Target.TASK), ask, held));
  }

  private static void assertForbidden(ThrowableAssert.ThrowingCallable asked) {
    assertThatThrownBy(asked)
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }

  @Test
  void it_has_the_lowest_profile_that_runs_and_never_the_rights_of_the_owner() throws IOException {
    running(Profile.FULL_AUTO);
    var safe = running(Profile.SAFE);
    running(Profile.FULL_AUTO);

    var among = peer();
    assertThat(among.profile()).isEqualTo(Profile.SAFE);
    assertNotOwner(among);

    end(safe);
    var left = peer();
    assertThat(left.profile()).isEqualTo(Profile.FULL_AUTO);
    assertNotOwner(left);
  }

  @Test
  void a_task_that_was_never_judged_counts_as_safe() throws IOException {
    running(Profile.FULL_AUTO);
    running(null);

    assertThat(peer().profile()).isEqualTo(Profile.SAFE);
  }

  @Test
  void one_that_is_being_started_counts_too() throws IOException {
    running(Profile.FULL_AUTO);
    claimed(Profile.SAFE);

    assertThat(peer().profile()).isEqualTo(Profile.SAFE);
  }

  @Test
  void where_no_task_runs_it_may_do_nothing() {
    end(running(Profile.FULL_AUTO));

    assertForbidden(this::peer);
  }

  @Test
  void nobody_narrows_himself_to_the_name_of_another() {
    for (var name : new String[] {"default", "daemon", "nobody", "tcp"}) {
      assertForbidden(
          () -> daemon.authenticator().narrowed(Caller.PERSON, Profile.SAFE, null, name));
    }
    var free =
        daemon.authenticator().narrowed(Caller.PERSON, Profile.SAFE, new SessionId("s"), "free");
    assertThat(free.principal()).isEqualTo("free");
  }
}
