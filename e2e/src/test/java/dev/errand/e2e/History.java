package dev.errand.e2e;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * All that was asked, answered, read and broken, one line each in a file, in the order in which it
 * was known; and what of it has to be true in the end.
 */
final class History implements AutoCloseable {
  private final BufferedWriter file;
  private final long beganNanos = System.nanoTime();
  private final Map<String, Wish> wishes = new ConcurrentHashMap<>();
  private final Map<String, TaskId> acknowledged = new ConcurrentHashMap<>();
  private final Set<String> cancelled = ConcurrentHashMap.newKeySet();
  private final List<Seen> seen = new ArrayList<>();
  private final Map<TaskId, Map<Long, String>> frames = new ConcurrentHashMap<>();

  /**
   * What a task with this key does: print so many lines and exit with this code.
   *
   * @param watched whether a watcher looks for its last line
   */
  record Wish(
      String key, int lines, int exitCode, boolean requeue, Source source, boolean watched) {
    String line(int number) {
      return key + " " + number;
    }

    LogStream stream() {
      return source == Source.TERMINAL ? LogStream.PTY : LogStream.STDOUT;
    }

    /** All that it prints when nobody ends it. */
    String output() {
      var text = new StringBuilder();
      for (var i = 1; i <= lines; i++) {
        text.append(line(i)).append(source == Source.TERMINAL ? "\r\n" : "\n");
      }
      return text.toString();
    }
  }

  /** Where the lines of a task come from, and where they go. */
  enum Source {
    /** It counts, and prints to a pipe. */
    COUNTER,
    /** It prints what it is given, line by line, until its input ends. */
    INPUT,
    /** It counts, and prints to a terminal. */
    TERMINAL
  }

  /** Bytes that a reader was given. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  record Seen(TaskId taskId, LogStream stream, long offset, byte[] bytes) {}

  History(Path path) throws IOException {
    file = Files.newBufferedWriter(path);
  }

  Map<String, Wish> wishes() {
    return wishes;
  }

  Map<String, TaskId> acknowledged() {
    return acknowledged;
  }

  boolean wasCancelled(String key) {
    return cancelled.contains(key);
  }

  synchronized List<Seen> seen() {
    return List.copyOf(seen);
  }

  /** The frames that readers were given, by seq. */
  Map<Long, String> framesOf(TaskId taskId) {
    return frames.getOrDefault(taskId, Map.of());
  }

  void asked(Wish wish) {
    wishes.put(wish.key(), wish);
    write("spawn", it -> it.put("key", wish.key()).put("lines", wish.lines()));
  }

  /** The same key must get the same task, however often it is asked for. */
  void acknowledged(String key, TaskId taskId) {
    write("spawned", it -> it.put("key", key).put("task_id", taskId.value()));
    var before = acknowledged.put(key, taskId);
    if (before != null && !before.equals(taskId)) {
      throw new AssertionError(key + " got two tasks: " + before + " and " + taskId);
    }
  }

  void typed(String key, int line, long bytes) {
    write("stdin", it -> it.put("key", key).put("line", line).put("bytes", bytes));
  }

  /** Whether or not it is answered, it may have happened from now on. */
  void cancelAsked(String key) {
    cancelled.add(key);
    write("cancel", it -> it.put("key", key));
  }

  void read(TaskId taskId, LogStream stream, long offset, byte[] bytes) {
    var text = Base64.getEncoder().encodeToString(bytes);
    write(
        "read",
        it ->
            it.put("task_id", taskId.value())
                .put("stream", stream.word())
                .put("offset", offset)
                .put("bytes", text));
    synchronized (this) {
      seen.add(new Seen(taskId, stream, offset, bytes));
    }
  }

  /** A frame that was given once is never another. */
  void frame(TaskId taskId, long seq, String text) {
    write("frame", it -> it.put("task_id", taskId.value()).put("seq", seq));
    var before = frames.computeIfAbsent(taskId, _ -> new ConcurrentHashMap<>()).put(seq, text);
    if (before != null && !before.equals(text)) {
      throw new AssertionError("frame " + seq + " changed: " + before + " and " + text);
    }
  }

  void failed(String what, @Nullable String key, RuntimeException e) {
    write("failed", it -> it.put("what", what).put("key", key).put("error", e.toString()));
  }

  void broke(String what) {
    write("fault", it -> it.put("what", what));
  }

  private synchronized void write(String op, Consumer<ObjectNode> fields) {
    var line = JsonMapper.shared().createObjectNode();
    line.put("at_ms", (System.nanoTime() - beganNanos) / 1_000_000).put("op", op);
    fields.accept(line);
    try {
      file.write(line.toString());
      file.newLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
