package dev.errand.daemon.inbox;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
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
        new Tails(fixture.journal, codec, new NoLogs(), fixture.engine::liveSnapshot));
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
