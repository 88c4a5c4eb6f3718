package dev.errand.daemon.webhook;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.End;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.time.Time;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;
import dev.errand.wire.json.EndJson;
import dev.errand.wire.json.Json;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The events of tasks for webhooks, and the form in which they are posted. */
public final class EventSource {
  private static final int SUMMARY_CHARS_MAX = 400;

  private final Journal journal;
  private final FrameCodec codec;
  private final Tails tails;
  private final Time clock;

  public EventSource(Journal journal, FrameCodec codec, Tails tails, Time clock) {
    this.journal = journal;
    this.codec = codec;
    this.tails = tails;
    this.clock = clock;
  }

  EventFeed open(SessionId sessionId, List<WebhookEvent> wanted, Cursor after) {
    return new EventFeed(sessionId, wanted, after, journal, codec, clock);
  }

  /** The body of an event; a field that has nothing to say is left out. */
  byte[] bytes(Posting.OfEvent event) {
    var frame = event.frame();
    var head = frame.head();
    var json = JsonNodeFactory.instance.objectNode();
    json.put("id", head.id());
    json.put("session_id", head.sessionId().value());
    json.put("task_id", frame.taskId().value());
    var row = journal.row(frame.taskId()).orElse(null);
    var label = row == null ? null : row.label();
    if (label != null) {
      json.put("label", label);
    }
    json.put("kind", event.kind().word());
    facts(json, frame.event());
    var tail = tails.at(frame.taskId(), head.seq(), Tails.SNIPPET_CHARS);
    json.put("snippet", tail.text());
    json.put("truncated", tail.cut());
    json.put("seq", head.seq());
    json.put("at_ms", head.timestampMs());
    return Json.bytes(json);
  }

  private static void facts(ObjectNode json, TaskEvent event) {
    if (event instanceof TaskEvent.Ended(var end)) {
      ended(json, end);
    } else if (event instanceof TaskEvent.WatcherHit it) {
      json.put("event", it.event());
      json.put("summary", PlainText.line(it.snippet(), SUMMARY_CHARS_MAX));
      json.put("count", it.count());
    } else if (event instanceof TaskEvent.WatcherSilenced it) {
      json.put("event", it.event());
      json.put("summary", PlainText.line(it.reason(), SUMMARY_CHARS_MAX));
      json.put("silenced", true);
    } else if (event instanceof TaskEvent.Output it) {
      json.put("stream", it.stream().word());
      json.put("end_offset", it.offset() + it.bytes());
    } else {
      var status = event instanceof TaskEvent.Started ? StatusWord.RUNNING : StatusWord.QUEUED;
      json.put("status", status.word());
    }
  }

  private static void ended(ObjectNode json, End end) {
    json.put("status", StatusWord.of(end).word());
    var exit = end.exit();
    if (exit != null) {
      json.put("exit_code", exit.code());
    }
    var error = EndJson.error(end);
    if (error != null) {
      json.put("error", error);
    }
  }
}
