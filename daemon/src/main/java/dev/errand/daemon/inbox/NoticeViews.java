package dev.errand.daemon.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.task.End;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.Utf8;
import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.task.TaskViews;
import dev.errand.wire.json.EndJson;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.StatusWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Notices in delivered form: their fields, with details read from the record. */
public final class NoticeViews {
  private static final int SUMMARY_CHARS_MAX = 400;

  /** The limit of the result in a notice with the full result. */
  static final int FULL_BYTES_MAX = 64 << 10;

  private final Journal journal;
  private final FrameCodec codec;
  private final TaskViews tasks;
  private final Tails tails;

  public NoticeViews(Journal journal, FrameCodec codec, TaskViews tasks, Tails tails) {
    this.journal = journal;
    this.codec = codec;
    this.tasks = tasks;
    this.tails = tails;
  }

  /** The status of the task; absent if it was removed. */
  private @Nullable TaskView view(TaskId taskId) {
    return journal.row(taskId).map(tasks::view).orElse(null);
  }

  public byte[] bytes(NoticeEntry entry) {
    return Json.bytes(json(entry));
  }

  /** The whole notice. */
  public ObjectNode json(NoticeEntry entry) {
    var notice = entry.notice();
    var view = view(notice.subject().taskId());
    var about = about(notice, view);
    var json = JsonNodeFactory.instance.objectNode();
    facts(json, notice);
    json.put("summary", about.summary());
    json.put("snippet", about.output().text());
    json.put("truncated", about.output().cut());
    json.set("artifact_refs", artifacts(view));
    var fetch = about.fetch();
    json.set("fetch", fetch == null ? null : fetch.json());
    json.put("text", NoticeText.of(notice, about));
    json.put("at_ms", notice.atMs());
    json.put("merged", notice.merged());
    json.put("acknowledged", entry.acknowledged());
    json.put("seq", notice.seq());
    json.put("cursor", entry.cursor().text());
    json.put("leftover", view == null || view.exit() == null ? null : view.leftovers().outcome());
    var killed = json.putArray("killed");
    if (view != null && view.end() != null) {
      EndJson.killed(view.end()).forEach(killed::add);
    }
    return json;
  }

  private static void facts(ObjectNode json, Notice notice) {
    var standing = notice.standing();
    json.put("id", notice.id());
    json.put("session_id", notice.subject().sessionId().value());
    json.put("task_id", notice.subject().taskId().value());
    json.put("label", notice.subject().label());
    json.put("kind", notice.kind().word());
    json.put("event", notice.event());
    json.put("status", standing.status().word());
    json.put("exit_code", standing.exitCode());
    json.put("elapsed_ms", standing.elapsedMs());
    json.put("elapsed", Elapsed.text(standing.elapsed()));
  }

  private NoticeText.About about(Notice notice, @Nullable TaskView view) {
    if (view == null) {
      var summary = summary(notice, null, "");
      var nothing = new Tails.Tail("", false);
      var label = notice.subject().label();
      return new NoticeText.About(label, null, summary, false, List.of(), nothing, false);
    }
    var spec = spec(notice.subject().taskId());
    var background = spec != null && spec.watching().fullNotice();
    var full = background && notice.kind() == Notice.Kind.ENDED;
    var output = output(notice, full);
    return new NoticeText.About(
        name(view),
        NoticeFetch.of(notice, view.facts().work().tool(), background),
        summary(notice, view, output.text()),
        hasTimedOut(view),
        notice.kind() == Notice.Kind.ENDED ? EndNotes.of(view, spec) : List.of(),
        output,
        full);
  }

  /** The words by which whoever started it knows it. */
  private static String name(TaskView view) {
    var origin = view.facts().origin();
    var label = origin.label();
    var title = origin.title();
    if (label != null) {
      return label;
    }
    return title == null || title.isBlank() ? view.facts().work().line() : title;
  }

  /** The end of the task's output at the time of the notice; empty if the task was removed. */
  public String snippet(Notice notice) {
    return output(notice, isFull(notice)).text();
  }

  private Tails.Tail output(Notice notice, boolean full) {
    var taskId = notice.subject().taskId();
    return full
        ? lastBytes(tails.wholeAt(taskId, notice.seq(), FULL_BYTES_MAX))
        : tails.at(taskId, notice.seq(), Tails.SNIPPET_CHARS);
  }

  /** The end of the task's output up to that frame. */
  String snippet(TaskId taskId, long seq) {
    return tails.at(taskId, seq, Tails.SNIPPET_CHARS).text();
  }

  /** Whether it is the notice of an end with the full result. */
  private boolean isFull(Notice notice) {
    return notice.kind() == Notice.Kind.ENDED && isBackground(notice.subject().taskId());
  }

  /** Whether {@code background_task} launched it: just that asks for the whole result. */
  private boolean isBackground(TaskId taskId) {
    var spec = spec(taskId);
    return spec != null && spec.watching().fullNotice();
  }

  /** What was asked for; null if it cannot be read any more. */
  private @Nullable TaskSpec spec(TaskId taskId) {
    var first = journal.read(StreamKey.of(taskId), -1, 1);
    return !first.isEmpty()
            && codec.decodeTask(first.getFirst()).event() instanceof TaskEvent.Spawned(var spec)
        ? spec
        : null;
  }

  private static Tails.Tail lastBytes(Tails.Tail tail) {
    var bytes = tail.text().getBytes(UTF_8);
    if (bytes.length <= FULL_BYTES_MAX) {
      return tail;
    }
    var last = Arrays.copyOfRange(bytes, bytes.length - FULL_BYTES_MAX, bytes.length);
    var begin = Utf8.restBytes(last);
    return new Tails.Tail(new String(last, begin, last.length - begin, UTF_8), true);
  }

  /**
   * The notice as text. A full result that does not fit is left out, or cut at the start if that is
   * allowed.
   */
  String text(Notice notice, int charsMax, boolean mayCut) {
    var about = about(notice, view(notice.subject().taskId()));
    var text = NoticeText.of(notice, about);
    if (!about.full() || text.length() <= charsMax) {
      return text;
    }
    var output = about.output().text();
    var chars = output.length() - (text.length() - charsMax) - NoticeText.CUT_WORDS_CHARS_MAX;
    return mayCut && chars > SUMMARY_CHARS_MAX
        ? NoticeText.of(notice, about.with(PlainText.tail(output, chars)))
        : NoticeText.of(notice, about.with(""));
  }

  /** The notice in a few words. */
  String brief(Notice notice) {
    var view = view(notice.subject().taskId());
    var name = view == null ? notice.subject().label() : name(view);
    return NoticeText.brief(notice, name, hasTimedOut(view));
  }

  /** Whether it asks a person for what was answered since; nobody is told that any more. */
  public boolean isAnswered(NoticeEntry entry) {
    var notice = entry.notice();
    return notice.kind() == Notice.Kind.WAITING_FOR_INPUT
        && entry.acknowledged()
        && !(view(notice.subject().taskId()) instanceof TaskView.Held);
  }

  private String summary(Notice notice, @Nullable TaskView view, String snippet) {
    var said =
        switch (notice.kind()) {
          case ENDED, STATE_CHANGED -> PlainText.lastLine(snippet, SUMMARY_CHARS_MAX);
          case WAITING_FOR_INPUT ->
              view instanceof TaskView.Held it
                  ? StatusWriter.question(it.facts().origin().ruling())
                  : "";
          case WATCHER, READY, SILENCED -> ofFrame(notice);
        };
    var told = said.isEmpty() ? message(notice, view) : said;
    return PlainText.line(told, SUMMARY_CHARS_MAX);
  }

  /** For a task that could not start or wrote nothing, the status may have the reason. */
  private static String message(Notice notice, @Nullable TaskView view) {
    var end = view == null ? null : view.end();
    var message = end == null ? null : EndJson.message(end);
    return notice.kind() == Notice.Kind.ENDED && message != null ? message : "";
  }

  private static boolean hasTimedOut(@Nullable TaskView view) {
    return view != null && view.end() instanceof End.LimitPassed it && it.isTimeout();
  }

  /** What the watcher saw, from its frame. */
  private String ofFrame(Notice notice) {
    var stream = StreamKey.of(notice.subject().taskId());
    for (var frame : journal.read(stream, notice.seq() - 1, 1)) {
      var event = codec.decodeTask(frame).event();
      if (event instanceof TaskEvent.WatcherHit it) {
        return it.snippet();
      }
      if (event instanceof TaskEvent.WatcherSilenced it) {
        return it.reason();
      }
      if (event instanceof TaskEvent.BecameReady it) {
        return it.snippet();
      }
    }
    return "";
  }

  private static ArrayNode artifacts(@Nullable TaskView view) {
    var refs = JsonNodeFactory.instance.arrayNode();
    if (view == null) {
      return refs;
    }
    for (var log : view.facts().progress().logs()) {
      if (log.bytesStored() > 0) {
        refs.addObject()
            .put("stream", log.stream().word())
            .put("log_id", log.stream().logId(view.id()))
            .put("artifact_id", log.artifactId())
            .put("bytes", log.bytesStored());
      }
    }
    return refs;
  }
}
