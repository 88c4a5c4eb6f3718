package dev.errand.daemon.tool.excerpt;

import dev.errand.core.task.TaskView;
import dev.errand.wire.json.RequestFields;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How far a reader has read the streams of a task: an offset in bytes for each, in the order in
 * which the task has them. As text it is {@code 8192}, or {@code 8192+120} of two streams.
 */
public record OutputCursor(List<Long> offsets) {
  public OutputCursor {
    offsets = List.copyOf(offsets);
  }

  /** The start of all streams. */
  public static OutputCursor start(TaskView view) {
    return new OutputCursor(logs(view).stream().map(_ -> 0L).toList());
  }

  /** The end of what all streams have so far. */
  public static OutputCursor end(TaskView view) {
    return new OutputCursor(logs(view).stream().map(TaskView.Log::bytesTotal).toList());
  }

  private static List<TaskView.Log> logs(TaskView view) {
    return view.facts().progress().logs();
  }

  /** Reads the text of one; missing offsets are 0. */
  public static OutputCursor read(String text, TaskView view) {
    var offsets = new ArrayList<Long>();
    try {
      for (var part : text.split("\\+", -1)) {
        offsets.add(Long.parseUnsignedLong(part));
      }
    } catch (NumberFormatException _) {
      throw invalid(text);
    }
    var count = logs(view).size();
    while (offsets.size() < count) {
      offsets.add(0L);
    }
    if (offsets.size() > count || offsets.stream().anyMatch(it -> it < 0)) {
      throw invalid(text);
    }
    return new OutputCursor(offsets);
  }

  private static RuntimeException invalid(String text) {
    var shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
    return RequestFields.invalid(
        "invalid cursor " + shown + "; use the cursor of an earlier answer about this task");
  }

  long of(int stream) {
    return offsets.get(stream);
  }

  /** The same with another offset in one stream. */
  public OutputCursor with(int stream, long offset) {
    var changed = new ArrayList<>(offsets);
    changed.set(stream, offset);
    return new OutputCursor(changed);
  }

  public String text() {
    return offsets.stream().map(String::valueOf).collect(Collectors.joining("+"));
  }
}
