package dev.errand.wire.json;

import dev.errand.core.task.LinePage;
import dev.errand.core.task.LogGap;
import dev.errand.core.task.LogSpan;
import dev.errand.core.task.SearchPage;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lines of a log in the form in which they leave the daemon. */
public final class LinesJson {

  private LinesJson() {}

  public static ObjectNode of(LogSpan log, LinePage page) {
    var node = head(log);
    texts(node, "lines", page.lines());
    node.put("first_line", page.first())
        .put("next_line", page.next())
        .put("offset_bytes", page.offset())
        .put("next_offset_bytes", page.nextOffset());
    var cut = node.putArray("cut_lines");
    page.cut().forEach(it -> cut.add(it.longValue()));
    node.put("partial", page.partial());
    return rest(node, log, page.gaps());
  }

  public static ObjectNode of(LogSpan log, SearchPage page) {
    var node = head(log);
    var matches = node.putArray("matches");
    for (var found : page.matches()) {
      var match = matches.addObject();
      match
          .put("line", found.line())
          .put("offset_bytes", found.offset())
          .put("text", found.text())
          .put("cut", found.cut());
      texts(match, "before", found.before());
      texts(match, "after", found.after());
    }
    node.put("next_line", page.next())
        .put("next_offset_bytes", page.nextOffset())
        .put("unfinished", page.more());
    return rest(node, log, page.gaps());
  }

  private static ObjectNode head(LogSpan log) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("task_id", log.taskId().value())
        .put("stream", log.stream().word());
  }

  private static void texts(ObjectNode node, String name, List<String> texts) {
    var array = node.putArray(name);
    texts.forEach(array::add);
  }

  private static ObjectNode rest(ObjectNode node, LogSpan log, List<LogGap> gaps) {
    var array = node.putArray("gaps");
    for (var gap : gaps) {
      array.addObject().put("line", gap.line()).put("from", gap.from()).put("to", gap.to());
    }
    return node.put("total_bytes", log.total()).put("ended", log.ended());
  }
}
