package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.TestDaemon;
import dev.errand.daemon.attach.Controls;
import dev.errand.daemon.surface.http.AuditLines;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes over a channel is checked as the verb of that name checks it. */
final class ChannelTest {
  private static final Caller SAFE = Caller.PERSON.narrowed(Profile.SAFE, null, "safe");

  @TempDir Path folder;
  private final WaitSlots slots = new WaitSlots(2);
  private TestDaemon daemon;
  private TaskId taskId;

  @BeforeEach
  void start() throws Exception {
    daemon = TestDaemon.open(folder, new SettableClock(Instant.EPOCH), "");
    taskId = daemon.running();
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private Ask ask(Caller caller) {
    return Ask.of(caller, null, slots, _ -> {});
  }

  private Channel attach(Caller caller, boolean view) throws InterruptedException {
    var request = new AttachTask.Request(taskId, "stdout", null, null, view, null);
    return daemon.verbs().tasks().attach().run(ask(caller), request);
  }

  private static void assertForbidden(ThrowableAssert.ThrowingCallable asked) {
    assertThatThrownBy(asked)
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }

  @Test
  void whoever_may_not_type_may_look() throws Exception {
    try (var audit = new AuditLines()) {
      assertForbidden(() -> attach(SAFE, false));
      assertThat(audit.lines()).containsExactly("safe unix stdin " + taskId + " -> FORBIDDEN");
    }
    assertThat(attach(SAFE, true)).isNotNull();
  }

  @Test
  void a_signal_is_sent_as_the_verb_sends_it_and_not_by_who_looks_only() throws Exception {
    attach(Caller.PERSON, false).open(new Gone()).signal("INT");
    var view = attach(Caller.PERSON, true).open(new Gone());

    try (var audit = new AuditLines()) {
      assertForbidden(() -> view.signal("KILL"));
      assertThat(audit.lines()).containsExactly("cli unix signal " + taskId + " -> FORBIDDEN");
    }
    assertThat(daemon.host().applied()).containsExactly("signal INT");
  }

  @Test
  void each_input_and_each_resize_is_checked_whoever_made_the_channel() {
    var tasks = daemon.verbs().tasks();
    var verbs = new AttachTask.Controlling(tasks.stdin(), tasks.resize(), tasks.signal());
    var controls = new ChannelControls(ask(SAFE), taskId, false, verbs);
    try (var audit = new AuditLines()) {
      for (var control : Controls.Control.values()) {
        assertForbidden(() -> controls.check(control));
        assertForbidden(() -> controls.check(control));
      }

      assertThat(audit.lines())
          .containsExactly(
              "safe unix stdin " + taskId + " -> FORBIDDEN",
              "safe unix resize " + taskId + " -> FORBIDDEN");
    }
  }

  /** A client that went before it was served. */
  private static final class Gone implements Channel.Connection {
    @Override
    public void binary(ByteBuffer message) throws IOException {
      throw new IOException("gone");
    }

    @Override
    public void text(byte[] message) throws IOException {
      throw new IOException("gone");
    }

    @Override
    public void ping() throws IOException {
      throw new IOException("gone");
    }

    @Override
    public long silentNanos() {
      return 0;
    }

    @Override
    public boolean isOpen() {
      return false;
    }

    @Override
    public void close(int status, String reason) {}
  }
}
