package dev.errand.core.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Several notices merged into one: the newest is kept and represents the removed ones. */
public record Merge(Notice kept, List<String> gone) {
  public Merge {
    gone = List.copyOf(gone);
  }

  /**
   * The merges that shorten an inbox to {@code max} notices, if possible: first notices of the same
   * watcher of a task, then all notices of a task. Takes the unacknowledged notices, oldest first.
   */
  public static List<Merge> plan(List<Notice> notices, int max) {
    if (notices.size() <= max) {
      return List.of();
    }
    var byWatcher = grouped(notices, Merge::watcherOrItself);
    var left = byWatcher.size() <= max;
    return merges(left ? byWatcher : grouped(notices, it -> it.subject().taskId()));
  }

  private record Watched(Object taskId, Object event) {}

  private static Object watcherOrItself(Notice notice) {
    var event = notice.event();
    return notice.kind() == Notice.Kind.WATCHER && event != null
        ? new Watched(notice.subject().taskId(), event)
        : notice.id();
  }

  private static Map<Object, List<Notice>> grouped(
      List<Notice> notices, Function<Notice, Object> key) {
    var groups = new LinkedHashMap<Object, List<Notice>>();
    for (var notice : notices) {
      groups.computeIfAbsent(key.apply(notice), _ -> new ArrayList<>()).add(notice);
    }
    return groups;
  }

  private static List<Merge> merges(Map<Object, List<Notice>> groups) {
    var merges = new ArrayList<Merge>();
    for (var group : groups.values()) {
      if (group.size() > 1) {
        var count = group.stream().mapToInt(Notice::merged).sum();
        var gone = group.subList(0, group.size() - 1).stream().map(Notice::id).toList();
        merges.add(new Merge(group.getLast().standingFor(count), gone));
      }
    }
    return merges;
  }
}
