package dev.errand.daemon.inbox;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.task.TaskViews;
import dev.errand.wire.json.JsonFrameCodec;
import java.util.List;

/** Notices over the engine of a fixture, whose tasks have written nothing that can be read. */
public final class InboxFixture {

  private InboxFixture() {}

  public static NoticeViews views(EngineFixture fixture) {
    var codec = new JsonFrameCodec();
    return new NoticeViews(
        fixture.journal,
        codec,
        new TaskViews(fixture.engine, fixture.journal, codec),
        tails(fixture));
  }

  /** Nothing that a task wrote can be read. */
  public static Tails tails(EngineFixture fixture) {
    return new Tails(
        fixture.journal, new JsonFrameCodec(), new NoLogs(), fixture.engine::liveSnapshot);
  }

  /** A running task with a watcher. */
  public static TaskId watched(EngineFixture fixture) {
    var watcher = new Watcher("seen", new WatchCondition.Prompt(), false);
    var watching = new WatchSpec(WatchSpec.Notify.DONE_ONLY, List.of(watcher), null);
    return fixture.running(EngineFixture.spec().attending(watching));
  }

  /** A hit of its watcher. */
  public static void hit(EngineFixture fixture, TaskId taskId, String snippet) {
    var sighting = new TaskCommand.Watched.Sighting(0, null, snippet, 1, null);
    fixture.engine.submit(taskId, new TaskCommand.Watched(List.of(sighting)), null).orThrow();
  }

  private static final class NoLogs implements LogStore {
    @Override
    public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
      return new byte[0];
    }

    @Override
    public long total(TaskId taskId, LogStream stream) {
      return 0;
    }

    @Override
    public List<TaskId> olderThan(long beforeMs) {
      return List.of();
    }

    @Override
    public void delete(TaskId taskId) {}
  }
}
