package dev.errand.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Append;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** What the claims about journals stand on: the journal under test, and short ways to fill it. */
interface JournalFixture {

  /** The journal under test: empty when the test begins. */
  Journal journal();

  SequentialIds ids();

  static SessionId session(String name) {
    return new SessionId(name);
  }

  /** So many frames behind {@code afterSeq}, each of which names its stream and its seq. */
  static Append append(StreamKey stream, long afterSeq, int count) {
    var frames = new ArrayList<EncodedFrame>();
    for (var seq = afterSeq + 1; seq <= afterSeq + count; seq++) {
      frames.add(new EncodedFrame(seq, bytes(stream.id() + "#" + seq)));
    }
    return new Append(stream, afterSeq, frames);
  }

  static Append append(TaskId taskId, long afterSeq, int count) {
    return append(StreamKey.of(taskId), afterSeq, count);
  }

  static TaskRow live(TaskId taskId, String session) {
    return row(taskId, session, null, "command", StatusWord.RUNNING, TaskRow.Lifetime.LIVE);
  }

  static TaskRow ended(TaskId taskId, long endedAtMs, long readAtMs, long bytesStored) {
    var lifetime = new TaskRow.Lifetime(endedAtMs, readAtMs, bytesStored);
    return row(taskId, "s", null, "command", StatusWord.EXITED, lifetime);
  }

  static TaskRow row(
      TaskId taskId,
      String session,
      @Nullable String label,
      String kind,
      StatusWord status,
      TaskRow.Lifetime lifetime) {
    return new TaskRow(
        taskId,
        session(session),
        label,
        kind,
        status,
        lifetime.endedAtMs() == 0,
        lifetime,
        1,
        bytes("{\"status\":\"" + status.word() + "\"}"),
        null,
        null,
        new TaskRow.Outcome(status == StatusWord.EXITED ? 3 : null, lifetime.endedAtMs() == 0));
  }

  static TaskQuery all(int limit) {
    return new TaskQuery(null, null, null, Set.of(), null, null, limit);
  }

  static List<TaskId> idsOf(List<TaskRow> rows) {
    return rows.stream().map(TaskRow::id).toList();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** All frames of one stream as texts, read page by page; also says that no seq is missing. */
  static List<String> texts(Journal journal, StreamKey stream) {
    var texts = new ArrayList<String>();
    while (true) {
      var page = journal.read(stream, texts.size() - 1L, 7);
      for (var frame : page) {
        assertThat(frame.seq()).isEqualTo(texts.size());
        texts.add(text(frame.bytes()));
      }
      if (page.isEmpty()) {
        return texts;
      }
    }
  }

  /** All frames behind the cursor, read page by page. */
  static List<Page.Entry> everything(Journal journal, Cursor after) {
    var entries = new ArrayList<Page.Entry>();
    var cursor = after;
    while (true) {
      var page = journal.readAll(cursor, 5);
      entries.addAll(page.entries());
      if (page.entries().isEmpty()) {
        return entries;
      }
      cursor = page.next();
    }
  }

  static List<String> textsOf(List<Page.Entry> entries) {
    return entries.stream().map(it -> text(it.frame().bytes())).toList();
  }

  /** Does all of these at once, each on its own virtual thread, and gives what they gave. */
  static <T> List<T> together(List<Callable<T>> works) throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = new ArrayList<T>();
      for (var future : threads.invokeAll(works)) {
        results.add(result(future));
      }
      return results;
    }
  }

  private static <T> T result(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new AssertionError("a thread of the test failed", e.getCause());
    }
  }
}
