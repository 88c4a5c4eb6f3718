package dev.errand.core.task;

import org.jspecify.annotations.Nullable;

/**
 * What was requested at spawn, and the decision of the policy; it never changes. The ruling is
 * absent in logs of older versions.
 */
public record TaskSpec(
    Origin origin, Work work, @Nullable Ruling ruling, Plan plan, WatchSpec watching) {

  /** Of a task that stands alone. */
  public TaskSpec(Origin origin, Work work, @Nullable Ruling ruling) {
    this(origin, work, ruling, Plan.NONE, WatchSpec.NONE);
  }

  public TaskSpec(Origin origin, Work work) {
    this(origin, work, null);
  }

  /** Stands in for what was asked for where that cannot be read any more; it is never run. */
  public static TaskSpec unreadable(
      TaskKind kind, SessionId sessionId, @Nullable String label, Plan plan) {
    var origin = new Origin(sessionId, "", label, null, null);
    return new TaskSpec(origin, Work.unreadable(kind), null, plan, WatchSpec.NONE);
  }

  public boolean isUnreadable() {
    return work.equals(Work.unreadable(work.kind()));
  }

  /** The same in another folder. */
  public TaskSpec in(String cwd) {
    return new TaskSpec(origin, work.in(cwd), ruling, plan, watching);
  }

  public TaskSpec ruled(Ruling given) {
    return new TaskSpec(origin, work, given, plan, watching);
  }

  /** The same with this plan. */
  public TaskSpec planned(Plan other) {
    return new TaskSpec(origin, work, ruling, other, watching);
  }

  /** The same with these watchers and notices. */
  public TaskSpec attending(WatchSpec other) {
    return new TaskSpec(origin, work, ruling, plan, other);
  }

  /** Who asked, and the names given to the task. */
  public record Origin(
      SessionId sessionId,
      String by,
      @Nullable String label,
      @Nullable String title,
      @Nullable String originSessionId) {}
}
