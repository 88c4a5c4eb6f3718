package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.PastEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.Utf8;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.task.ResultReads;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a part of the output of a task in one stream: its exact bytes, or whole characters as text.
 * A part ends before a range that the output cap dropped.
 */
public final class ReadOutput extends Verb<ReadOutput.Request, OutputBytes> {

  /** A longer part is built in the caller's share of the processors. */
  private static final int SHORT_BYTES_MAX = 512 * 1024;

  private static final String OFFSET_BYTES = "offset_bytes";

  private final TaskLog.Finder finder;
  private final ResultReads reads;
  private final ComputePool compute;

  /** Which part of a stream is wanted. */
  public sealed interface Part {

    int bytesMax();

    /** From an offset on. */
    record Range(long offset, int bytesMax) implements Part {}

    /** The end; if the cap dropped the start of it, the rest. */
    record Tail(int bytesMax) implements Part {}
  }

  /**
   * What is asked.
   *
   * @param stream null: the one with the plain output of the task
   * @param asText whether characters must be complete; a part then has at least one, if there is
   *     one
   */
  public record Request(TaskId taskId, @Nullable LogStream stream, Part part, boolean asText)
      implements OfTask {}

  ReadOutput(Verbs.Parts parts) {
    super("read_output", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.finder = TaskLog.Finder.of(parts);
    this.reads = parts.work().reads();
    this.compute = parts.output().compute();
  }

  /** The same in the form of a door; a long part is formatted in the caller's share too. */
  public <T> T run(Ask ask, Request request, Function<OutputBytes, T> form)
      throws InterruptedException {
    var part = run(ask, request);
    var share = ask.caller().share(compute).admitted();
    return made(share, part.bytes().length, () -> form.apply(part));
  }

  @Override
  OutputBytes answer(Ask ask, Request request) throws InterruptedException {
    var row = finder.views().rowOf(request.taskId());
    var log = finder.find(row, request.stream());
    var share = ask.caller().share(compute);
    var part = made(share, request.part().bytesMax(), () -> part(log, request));
    ask.tells(reads, row);
    return part;
  }

  private static <T> T made(Share share, int bytes, Supplier<T> work) throws InterruptedException {
    if (bytes <= SHORT_BYTES_MAX) {
      return work.get();
    }
    var made = new AtomicReference<T>();
    share.run(_ -> {
      made.set(work.get());
      return true;
    });
    return made.get();
  }

  private OutputBytes part(TaskLog log, Request request) {
    var max = request.part().bytesMax();
    return switch (request.part()) {
      case Part.Range(var offset, _) -> {
        PastEnd.checkOffset(OFFSET_BYTES, offset, log.span().total());
        var wanted = request.asText() ? Math.max(max, Utf8.CHARACTER_BYTES_MAX) : max;
        var part = part(log, offset, wanted);
        yield request.asText() ? wholeCharacters(part, max) : part;
      }
      case Part.Tail _ -> {
        var part = tail(log, max);
        yield request.asText() ? wholeCharacters(withoutRest(part), max) : part;
      }
    };
  }

  private OutputBytes tail(TaskLog log, int wanted) {
    try {
      return part(log, Math.max(0, log.span().total() - wanted), wanted);
    } catch (ErrandException e) {
      return part(log, LogStore.afterDropped(e), wanted);
    }
  }

  private OutputBytes part(TaskLog log, long offset, int max) {
    var wanted = Math.clamp(log.span().total() - offset, 0, max);
    var bytes = log.read(finder.logs(), offset, wanted);
    return new OutputBytes(log.span(), offset, bytes, log.artifactId());
  }

  private static OutputBytes withoutRest(OutputBytes part) {
    return part.offset() > 0 ? part.from(Utf8.restBytes(part.bytes())) : part;
  }

  private static OutputBytes wholeCharacters(OutputBytes part, int max) {
    return part.upTo(Utf8.pageBytes(part.bytes(), max, part.more()));
  }
}
