package dev.errand.daemon.verb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SearchFrom;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.TestDaemon;
import dev.errand.testkit.SettableClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs that read and store bytes, without a door. */
final class OutputVerbsTest {
  private static final SessionId OWN = new SessionId("cli");
  private static final SessionId FOREIGN = new SessionId("elsewhere");

  @TempDir Path folder;
  private TestDaemon daemon;
  private TaskId taskId;

  /** What is to be done once the answer is delivered. */
  private final List<Boolean> told = new ArrayList<>();

  @BeforeEach
  void start_with_a_task_that_wrote() throws Exception {
    daemon = TestDaemon.open(folder, new SettableClock(Instant.EPOCH), "");
    taskId = daemon.running();
    daemon.host().write(taskId, LogStream.STDOUT, "one\n\u001b[1mtwo\u001b[0m\n");
    daemon.host().exit(taskId, 0, null);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private Ask ask(SessionId session) {
    return Ask.of(Caller.PERSON, null, new WaitSlots(4), _ -> told.add(true)).within(session);
  }

  @Test
  void the_end_of_what_a_task_wrote_is_plain_text() throws InterruptedException {
    var tail = daemon.verbs().output().tail().run(ask(OWN), new ReadTail.Request(taskId, 100));

    assertThat(tail.text()).isEqualTo("one\ntwo\n");
    assertThat(tail.lastLine(2)).isEqualTo("t…");
    assertThat(told).isEmpty();
  }

  @Test
  void opened_output_gives_exact_bytes_without_those_that_were_dropped()
      throws InterruptedException {
    daemon.logs().drop(taskId, LogStream.STDOUT, 1, 3);
    var output = daemon.verbs().output().open().run(ask(OWN), new OpenOutput.Request(taskId));

    assertThat(output.read(LogStream.STDOUT, 0, 5)).isEqualTo("o\n\u001b".getBytes(UTF_8));
    assertThat(output.read(LogStream.STDERR, 0, 5)).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void who_is_given_output_is_noted_as_its_reader() throws InterruptedException {
    var range = new ReadOutput.Part.Range(0, 3);
    var request = new ReadOutput.Request(taskId, null, range, true);
    var part = daemon.verbs().output().read().run(ask(OWN), request);

    assertThat(part.bytes()).isEqualTo("one".getBytes(UTF_8));
    assertThat(part.log().ended()).isTrue();
    assertThat(told).hasSize(1);
  }

  @Test
  void what_is_not_of_the_session_looks_as_if_it_were_not_there() {
    var verbs = daemon.verbs().output();
    var ask = ask(FOREIGN);
    var range = new ReadOutput.Part.Range(0, 3);
    var pattern = SearchPattern.of("one");
    var search = new SearchOutput.Search(pattern, 0, 1, new SearchFrom.Line(1));

    assertRefused(
        ErrorCode.TASK_NOT_FOUND,
        () -> verbs.read().run(ask, new ReadOutput.Request(taskId, null, range, true)),
        () -> verbs.lines().run(ask, new ReadLines.Request(taskId, null, 1, 1)),
        () -> verbs.search().run(ask, new SearchOutput.Request(taskId, null, search)),
        () -> verbs.tail().run(ask, new ReadTail.Request(taskId, 10)),
        () -> verbs.open().run(ask, new OpenOutput.Request(taskId)),
        () -> verbs.log().run(ask, new ReadLog.Request(taskId + ".stdout")));
    assertRefused(
        ErrorCode.ARTIFACT_NOT_FOUND,
        () -> verbs.artifact().run(ask, new ReadArtifact.Request("0".repeat(64))));
    assertThat(told).isEmpty();
  }

  private static void assertRefused(ErrorCode code, ThrowingCallable... calls) {
    for (var call : calls) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              ErrandException.class, it -> assertThat(it.code()).isEqualTo(code));
    }
  }

  @Test
  void content_is_stored_and_read_by_page_and_by_copy() throws IOException, InterruptedException {
    var source = new ByteArrayInputStream("content".getBytes(UTF_8));
    var request = new StoreArtifact.Request(source, 7, OWN);
    var stored = daemon.verbs().output().store().run(ask(OWN), request);
    var content =
        daemon.verbs().output().artifact().run(ask(OWN), new ReadArtifact.Request(stored.sha256()));
    var copied = new ByteArrayOutputStream();
    content.copyTo(Channels.newChannel(copied)::write, 0, 7);

    assertThat(content.length()).isEqualTo(7);
    assertThat(content.sha256()).isEqualTo(stored.sha256());
    assertThat(content.read(3, 100)).isEqualTo("tent".getBytes(UTF_8));
    assertThat(copied.toString(UTF_8)).isEqualTo("content");
  }

  @Test
  void a_source_that_fails_is_no_refusal() throws IOException {
    var source = InputStream.nullInputStream();
    source.close();
    var request = new StoreArtifact.Request(source, 7, OWN);

    assertThatThrownBy(() -> daemon.verbs().output().store().run(ask(OWN), request))
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("Stream closed");
  }
}
