package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.daemon.task.ResultReads;

/**
 * Reads a log by its id, whole or by range: a growing one up to its present end, and an ended one
 * as the artifact that it became.
 */
public final class ReadLog extends Verb<ReadLog.Request, StoredContent> {
  private final TaskLog.Finder finder;
  private final Contents contents;
  private final ResultReads reads;

  /** The id is {@code <task_id>.<stream>}. */
  public record Request(String logId) implements Verb.Request {
    @Override
    public String target() {
      return logId;
    }
  }

  ReadLog(Verbs.Parts parts) {
    super("read_log", new Access.Reads(Access.Target.LOG), parts.floor().authorizer());
    this.finder = TaskLog.Finder.of(parts);
    this.contents = Contents.of(parts);
    this.reads = parts.work().reads();
  }

  @Override
  StoredContent answer(Ask ask, Request request) {
    var id = request.logId();
    var dot = id.lastIndexOf('.');
    var stream = LogStream.ofWord(id.substring(dot + 1));
    if (dot < 0 || stream.isEmpty()) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND, "there is no such log; its id is <task_id>.<stream>");
    }
    var row = finder.views().rowOf(Authorizer.taskId(id.substring(0, dot)));
    var log = finder.find(row, stream.get());
    ask.tells(reads, row);
    // If the artifact is gone, the log is read.
    var sha256 = log.artifactId();
    return sha256 != null && log.span().ended() && contents.has(sha256)
        ? contents.artifact(sha256)
        : contents.growing(log);
  }
}
