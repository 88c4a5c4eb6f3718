package dev.errand.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.Frame;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was written once must be written and read the same for ever. */
class GoldenTest {
  private static final JsonFrameCodec CODEC = new JsonFrameCodec();
  private static final Frame.Head HEAD =
      new Frame.Head("01890a5d-ac96-774b-bcce-b302099a8058", Samples.SESSION, 3, Samples.AT);

  @ParameterizedTest
  @MethodSource("frames")
  void a_frame_is_written_just_as_recorded(String name, byte[] text) throws IOException {
    assertThat(new String(text, StandardCharsets.UTF_8)).isEqualTo(golden("frame-" + name));
  }

  @ParameterizedTest
  @MethodSource("taskEvents")
  void a_recorded_frame_reads_back_as_its_event(String name, TaskEvent event) throws IOException {
    var text = golden("frame-" + name).getBytes(StandardCharsets.UTF_8);

    assertThat(CODEC.decodeTask(new EncodedFrame(3, text)).event()).isEqualTo(event);
  }

  @ParameterizedTest
  @MethodSource("statuses")
  void a_status_is_written_just_as_recorded(String name, TaskState.Present state)
      throws IOException {
    var text =
        new String(CODEC.status(TaskView.of(Samples.TASK, state, 7)), StandardCharsets.UTF_8);

    assertThat(text).isEqualTo(golden("status-" + name));
  }

  static Stream<Object[]> taskEvents() {
    return Samples.events().entrySet().stream()
        .map(it -> new Object[] {it.getKey(), it.getValue()});
  }

  static Stream<Object[]> frames() {
    var texts = new LinkedHashMap<String, byte[]>();
    Samples.events()
        .forEach((name, event) -> {
          var frame = new Frame.OfTask(HEAD, Samples.TASK, event);
          texts.put(name, CODEC.encode(frame, after(event)).bytes());
        });
    texts.put(
        "record-damaged",
        JsonFrameCodec.damaged(StreamKey.of(Samples.TASK), Samples.SESSION, 3).bytes());
    texts.put("result-read", session(new SessionEvent.ResultRead(Samples.TASK, "uid:1000")));
    texts.put(
        "notice-acknowledged",
        session(
            new SessionEvent.NoticesAcknowledged(
                List.of("01890a5d-ac96-774b-bcce-b302099a8059"), "uid:1000")));
    texts.put(
        "webhook-set",
        session(new SessionEvent.WebhookSet("http://127.0.0.1:9/hook", true, "uid:1000")));
    texts.put(
        "webhook-set-events",
        session(
            new SessionEvent.WebhookSet(
                "http://127.0.0.1:9/hook", true, List.of("status", "output"), "uid:1000")));
    texts.put(
        "webhook-removed-why",
        session(new SessionEvent.WebhookRemoved("its token ci was revoked", "uid:1000")));
    texts.put("webhook-removed", session(new SessionEvent.WebhookRemoved(null, "uid:1000")));
    texts.put("removed", session(new SessionEvent.TaskRemoved(Samples.TASK, "asked", "uid:1000")));
    texts.put(
        "rejected",
        session(
            new SessionEvent.TaskRejected(
                "bash", "ab12", ErrorCode.POLICY_DENIED, "profile safe", null, "default")));
    texts.put("session-ended", session(new SessionEvent.SessionEnded("uid:1000")));
    texts.put("session-opened", session(new SessionEvent.SessionOpened("uid:1000")));
    texts.put("session-folder-set", session(new SessionEvent.FolderSet("/srv/app", "uid:1000")));
    return texts.entrySet().stream().map(it -> new Object[] {it.getKey(), it.getValue()});
  }

  /** The state of a task whose last event this is; it matters to status frames only. */
  private static TaskState.Present after(TaskEvent event) {
    return event instanceof TaskEvent.Ended
        ? Samples.folded(
            Samples.SPAWNED,
            Samples.ATTEMPTED,
            Samples.STARTED,
            Samples.OUTPUT,
            Samples.ARTIFACT,
            event)
        : Samples.running();
  }

  private static byte[] session(SessionEvent event) {
    return CODEC.encode(new Frame.OfSession(HEAD, event)).bytes();
  }

  static Stream<Object[]> statuses() {
    var unstarted =
        Samples.folded(
            new TaskEvent.Spawned(Samples.PROGRAM), Samples.ATTEMPTED, Samples.NOT_STARTED);
    Map<String, TaskState.Present> states = new LinkedHashMap<>();
    states.put("queued", Samples.folded(Samples.SPAWNED));
    states.put("held", Samples.folded(new TaskEvent.Spawned(Samples.HELD)));
    states.put("denied", Samples.folded(new TaskEvent.Spawned(Samples.HELD), Samples.DENIED));
    states.put("claimed", Samples.folded(Samples.SPAWNED, Samples.ATTEMPTED));
    states.put("running", Samples.running());
    states.put(
        "cancelling",
        Samples.folded(
            Samples.SPAWNED, Samples.ATTEMPTED, Samples.STARTED, Samples.CANCEL_REQUESTED));
    states.put(
        "terminal",
        Samples.folded(
            new TaskEvent.Spawned(Samples.TERMINAL),
            Samples.ATTEMPTED,
            Samples.STARTED,
            Samples.RESIZED));
    states.put(
        "prompt",
        Samples.folded(
            new TaskEvent.Spawned(Samples.TERMINAL),
            Samples.ATTEMPTED,
            Samples.STARTED,
            Samples.PROMPT_SEEN));
    states.put("exited", after(Samples.EXITED));
    states.put("keeping", after(Samples.KEEPING));
    states.put("cancelled", after(Samples.CANCELLED));
    states.put("not-started", unstarted);
    states.put("timeout", after(Samples.TIMED_OUT));
    states.put("lost", after(Samples.LOST));
    return states.entrySet().stream().map(it -> new Object[] {it.getKey(), it.getValue()});
  }

  private static String golden(String name) throws IOException {
    try (var in = GoldenTest.class.getResourceAsStream("golden/" + name + ".json")) {
      assertThat(in).as("a golden file for %s", name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
