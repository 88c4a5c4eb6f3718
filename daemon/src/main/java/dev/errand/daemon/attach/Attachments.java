package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import java.util.Map;

/** All attached clients, and their limits. */
public final class Attachments {
  private final Sources sources;
  private final Config.Attaching settings;
  private final Time clock;
  private final AttachSlots slots;

  public Attachments(Sources sources, Config.Attaching settings, Time clock) {
    this.sources = sources;
    this.settings = settings;
    this.clock = clock;
    this.slots = new AttachSlots(settings.clientsMax(), settings.clientsPerTaskMax());
  }

  /** What clients are shown, and where their input goes. */
  public record Sources(
      Tasks tasks,
      TaskViews views,
      Feed feed,
      FrameCodec codec,
      LogStore logs,
      FirstScreen screen,
      ResultReads reads) {}

  /** The maximum size of a message of a client. */
  public int messageBytesMax() {
    return settings.messageBytesMax();
  }

  public int attached() {
    return slots.taken();
  }

  /** Refuses what can be refused before the connection is made. */
  public void check(AttachRequest request) {
    slots.check(request.taskId());
    var from = request.from();
    var total = sources.logs().total(request.taskId(), request.stream());
    if (from != null && from > total) {
      throw new ErrandException(
          ErrorCode.RANGE_NOT_SATISFIABLE,
          "the stream has " + total + " bytes so far; attach from there or before",
          Map.of("total_bytes", total));
    }
  }

  public Attached attach(AttachRequest request, Link link) {
    return new Attached(sources, request, link, settings.ping(), clock);
  }

  /** Serves the client on the calling thread until it is gone or the task is over. */
  public void serve(AttachRequest request, Attached attached) {
    try (var _ = slots.take(request.taskId())) {
      attached.run();
    }
  }
}
