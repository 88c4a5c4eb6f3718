package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client of a daemon. It connects at the first call; the package describes what all calls have
 * in common.
 */
public final class ErrandClient implements AutoCloseable {
  private final Transport transport;

  private ErrandClient(DaemonLocator locator, ClientOptions options) {
    this.transport = new Transport(locator, options);
  }

  /** The daemon of this home, over its Unix socket. */
  public static ErrandClient connect(ErrandHome home) {
    return connect(home, ClientOptions.DEFAULT);
  }

  public static ErrandClient connect(ErrandHome home, ClientOptions options) {
    return new ErrandClient(DaemonLocator.of(home), options);
  }

  /** A daemon that listens on TCP, at a base such as {@code http://127.0.0.1:7717}. */
  public static ErrandClient connect(URI base, String token, ClientOptions options) {
    if (!"http".equals(base.getScheme()) || base.getHost() == null || base.getPort() < 0) {
      throw new IllegalArgumentException(
          "invalid base address; use a form such as http://127.0.0.1:7717, not " + base);
    }
    var address = new Address.Tcp(base.getHost(), base.getPort(), token);
    return new ErrandClient(() -> address, options);
  }

  /**
   * Checks that a daemon answers; fails with {@link NoDaemonException} if none does. From then on a
   * missing daemon is treated as restarting.
   */
  public void reach() {
    WarmUp.beginReading();
    transport.reach();
  }

  /** The file of the daemon of this home; empty if there is none. */
  public static Optional<DaemonFile> daemonOf(ErrandHome home) {
    try {
      return Optional.of(DaemonLocator.daemonFile(home));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Loads the classes of the first call in the background. For short programs: loading the JDK's
   * sockets takes longer than a call.
   */
  public static void warmUp() {
    WarmUp.begin();
  }

  public TaskId spawn(NewTask task) {
    return spawn(task, IdempotencyKeys.next());
  }

  /** Spawns it once, even if called several times with the same key. */
  public TaskId spawn(NewTask task, String idempotencyKey) {
    return spawn(task.encode(), idempotencyKey);
  }

  /** Spawns a task from this JSON body. */
  public TaskId spawn(byte[] body, String idempotencyKey) {
    return accepted(body, idempotencyKey).taskId();
  }

  /** Spawns it; the result has whether it waits for approval. */
  public Accepted accept(NewTask task) {
    return accepted(task.encode(), IdempotencyKeys.next());
  }

  /** A new task; {@code held} if it waits for approval. */
  public record Accepted(TaskId taskId, boolean isHeld) {}

  private Accepted accepted(byte[] body, String idempotencyKey) {
    var answer = transport.call(post(Routes.TASKS, idempotencyKey).json(body)).json();
    return new Accepted(new TaskId(answer.text("task_id")), answer.bool("held", false));
  }

  public TaskStatus status(TaskId taskId) {
    return new TaskStatus(get(Routes.task(taskId)).json());
  }

  public TaskPage list(TaskFilter filter) {
    return TaskPage.of(get(filter.target()));
  }

  /** The page after this one; empty after the last. */
  public Optional<TaskPage> next(TaskPage page) {
    return Optional.ofNullable(page.next()).map(target -> TaskPage.of(get(target)));
  }

  /** The task's frames after {@code afterSeq} (-1: all), as they come, up to its terminal frame. */
  public EventStream events(TaskId taskId, long afterSeq) {
    return EventStream.ofTask(transport, Routes.events(taskId), afterSeq, true);
  }

  public void events(TaskId taskId, long afterSeq, Consumer<EventFrame> sink) {
    try (var events = events(taskId, afterSeq)) {
      for (var frame = events.next(); frame != null; frame = events.next()) {
        sink.accept(frame);
      }
    }
  }

  /** The task's present frames after {@code afterSeq}. */
  public EventStream history(TaskId taskId, long afterSeq) {
    var target = new Query(Routes.events(taskId)).with(Params.FOLLOW, false).toString();
    return EventStream.ofTask(transport, target, afterSeq, false);
  }

  /** Frames of all tasks and sessions after a cursor (null: all), as they come, without end. */
  public EventStream allEvents(@Nullable String cursor) {
    return EventStream.ofAll(transport, Routes.EVENTS, cursor, true);
  }

  /** The present frames of all tasks and sessions after a cursor (null: all). */
  public EventStream allHistory(@Nullable String cursor) {
    var target = new Query(Routes.EVENTS).with(Params.FOLLOW, false).toString();
    return EventStream.ofAll(transport, target, cursor, false);
  }

  /**
   * Bytes of a log from an offset; empty at its end. Dropped bytes fail with OUTPUT_DROPPED and the
   * fact {@code next_offset}.
   */
  public OutputPart output(TaskId taskId, LogStream stream, long offset, int bytesMax) {
    return output(
        new Query(Routes.output(taskId))
            .with(Params.STREAM, stream.word())
            .with(Params.OFFSET_BYTES, offset)
            .with(Params.MAX_BYTES, bytesMax),
        offset);
  }

  /** Passes on the bytes of a range of a log, and its missing ranges. */
  public void output(TaskId taskId, LogStream stream, long from, long to, OutputSink sink) {
    new Follower((it, at, max) -> output(taskId, it, at, (int) Math.min(max, to - at)), sink)
        .range(stream, from, to);
  }

  /** The last bytes of a log. */
  public OutputPart tail(TaskId taskId, LogStream stream, int bytesMax) {
    return output(
        new Query(Routes.output(taskId))
            .with(Params.STREAM, stream.word())
            .with(Params.TAIL_BYTES, bytesMax)
            .with(Params.MAX_BYTES, bytesMax),
        0);
  }

  /** Lines of a log by their numbers, from 1; empty after its end. */
  public OutputLines lines(TaskId taskId, LogStream stream, long first, int count) {
    var query =
        new Query(Routes.output(taskId))
            .with(Params.STREAM, stream.word())
            .with(Params.LINE, first)
            .with(Params.LINES, count);
    return new OutputLines(get(query.toString()).json());
  }

  /** Lines of a log that match a pattern. */
  public OutputMatches search(TaskId taskId, LogStream stream, OutputSearch search) {
    var query =
        new Query(Routes.output(taskId))
            .with(Params.STREAM, stream.word())
            .with(Params.SEARCH, search.pattern())
            .with(Params.CONTEXT, search.context())
            .with(Params.LIMIT, search.limit())
            .with(Params.OFFSET_BYTES, search.offset());
    return new OutputMatches(get(query.toString()).json());
  }

  private OutputPart output(Query query, long offset) {
    var request =
        HttpRequest.of("GET", query.toString()).header(Headers.ACCEPT, Headers.OCTET_STREAM);
    var answer = transport.call(request);
    var from = answer.number(Headers.ERRAND_OFFSET, offset);
    var total = answer.number(Headers.ERRAND_TOTAL, from + answer.body().length);
    return new OutputPart(from, answer.body(), total);
  }

  /** The screen of the task's terminal after that frame, or now if it is null. */
  public TaskScreen screen(TaskId taskId, @Nullable Long atSeq) {
    return new TaskScreen(get(screenQuery(taskId, atSeq).toString()).json());
  }

  /** The same as {@code text}, {@code ansi} or {@code html}, optionally with the scrollback. */
  public byte[] screen(TaskId taskId, @Nullable Long atSeq, String format, boolean scrollback) {
    var query = screenQuery(taskId, atSeq).with(Params.FORMAT, format);
    return get(query.with(Params.SCROLLBACK, scrollback ? true : null).toString()).body();
  }

  private static Query screenQuery(TaskId taskId, @Nullable Long atSeq) {
    return new Query(Routes.screen(taskId)).with(Params.AT_SEQ, atSeq);
  }

  /**
   * Passes on the task's exact output after {@code afterSeq} (-1: all) as it comes, until the task
   * is over; returns its terminal frame.
   */
  public EventFrame follow(TaskId taskId, long afterSeq, OutputSink sink) {
    try (var events = events(taskId, afterSeq)) {
      var terminal = follower(taskId, sink).follow(events);
      if (terminal == null) {
        throw new CancellationException("the stream was closed before the task was over");
      }
      return terminal;
    }
  }

  /** Passes on the task's present exact output after {@code afterSeq}. */
  public void play(TaskId taskId, long afterSeq, OutputSink sink) {
    try (var events = history(taskId, afterSeq)) {
      follower(taskId, sink).follow(events);
    }
  }

  private Follower follower(TaskId taskId, OutputSink sink) {
    return new Follower((stream, at, max) -> output(taskId, stream, at, max), sink);
  }

  /** Attaches to a task: its output as it comes, across restarts, and its input. */
  public Attachment attach(TaskId taskId, AttachOptions options) {
    return new Attachment(transport, taskId, options);
  }

  /** Cancels the task; with a wait, returns when it is over or on timeout. */
  public TaskStatus cancel(TaskId taskId, @Nullable String reason, @Nullable Duration wait) {
    var seconds = wait == null ? null : (Long) wait.plusMillis(999).toSeconds();
    var target = new Query(Routes.cancel(taskId)).with(Params.WAIT, seconds).toString();
    var body = JsonWriter.object(out -> out.text("reason", reason));
    var request = post(target, IdempotencyKeys.next()).json(body);
    return new TaskStatus(transport.call(wait == null ? request : request.waiting(wait)).json());
  }

  /** Approves a held task. */
  public TaskStatus approve(TaskId taskId) {
    var request = post(Routes.approve(taskId), IdempotencyKeys.next());
    return new TaskStatus(transport.call(request.json(JsonWriter.object(_ -> {}))).json());
  }

  /** Denies a held task; it ends as failed. */
  public TaskStatus deny(TaskId taskId, @Nullable String reason) {
    var body = JsonWriter.object(out -> out.text("reason", reason));
    return new TaskStatus(
        transport.call(post(Routes.deny(taskId), IdempotencyKeys.next()).json(body)).json());
  }

  /** Sends a signal such as {@code INT} to the task's processes. */
  public void signal(TaskId taskId, String signal) {
    var body = JsonWriter.object(out -> out.text("signal", signal));
    transport.call(post(Routes.signal(taskId), IdempotencyKeys.next()).json(body));
  }

  /**
   * Writes to the task's standard input and then, if asked to, closes it; returns how many bytes
   * were taken. The same {@code opId} again writes nothing more.
   */
  public long stdin(TaskId taskId, byte[] bytes, boolean eof, String opId) {
    return stdin(taskId, stdinBody(bytes, eof, false), opId);
  }

  public long stdin(TaskId taskId, byte[] bytes, boolean eof) {
    return stdin(taskId, bytes, eof, IdempotencyKeys.next());
  }

  /** Presses keys of a terminal by their names, such as {@code C-c}, {@code Enter}, {@code Up}. */
  public long keys(TaskId taskId, List<String> names) {
    return stdin(
        taskId, JsonWriter.object(out -> out.texts("keys", names)), IdempotencyKeys.next());
  }

  /** Gives the task's terminal another size. */
  public TaskStatus resize(TaskId taskId, TerminalSize size) {
    var body =
        JsonWriter.object(out -> out.number("rows", size.rows()).number("cols", size.cols()));
    var request = post(Routes.resize(taskId), IdempotencyKeys.next()).json(body);
    return new TaskStatus(transport.call(request).json());
  }

  /** Writes what must not be recorded, such as a password. */
  public long stdinSecret(TaskId taskId, byte[] bytes, boolean eof) {
    return stdin(taskId, stdinBody(bytes, eof, true), IdempotencyKeys.next());
  }

  private static byte[] stdinBody(byte[] bytes, boolean eof, boolean secret) {
    var text = Base64.getEncoder().encodeToString(bytes);
    return JsonWriter.object(
        out -> out.text("chunk_b64", text).bool("eof", eof).bool("secret", secret));
  }

  private long stdin(TaskId taskId, byte[] body, String opId) {
    var answer = transport.call(post(Routes.stdin(taskId), opId).json(body));
    return answer.json().number("bytes_written");
  }

  /** Waits for the end of the task; on timeout the status is still live. */
  public TaskStatus waitEnd(TaskId taskId, Duration timeout) {
    return new Waiter(transport, taskId, timeout).end();
  }

  /** Waits until a condition is met, the task is over, or the timeout has passed. */
  public WaitResult await(TaskId taskId, Until until, Duration timeout) {
    return new Waiter(transport, taskId, timeout).until(until);
  }

  /** Removes a task that is over, with its logs and frames. */
  public void remove(TaskId taskId) {
    var request = HttpRequest.of("DELETE", Routes.task(taskId));
    transport.call(request.header(Headers.IDEMPOTENCY_KEY, IdempotencyKeys.next()));
  }

  public ArtifactClient artifacts() {
    return new ArtifactClient(transport);
  }

  public SessionClient sessions() {
    return new SessionClient(transport);
  }

  public BatchClient batches() {
    return new BatchClient(transport);
  }

  public TokenClient tokens() {
    return new TokenClient(transport);
  }

  public ToolClient tools() {
    return new ToolClient(transport);
  }

  /** The inbox of this session. */
  public InboxClient inbox(SessionId sessionId) {
    return new InboxClient(transport, sessionId);
  }

  /** Whether a daemon answers. */
  public boolean isHealthy() {
    return answers(Routes.HEALTH);
  }

  /** Whether a daemon answers and accepts tasks. */
  public boolean isReady() {
    return answers(Routes.READY);
  }

  /** Why the daemon accepts no tasks now; empty when it does. */
  public Optional<String> notReady() {
    try {
      get(Routes.READY);
      return Optional.empty();
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.NOT_READY) {
        throw e;
      }
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private boolean answers(String route) {
    try {
      get(route);
      return true;
    } catch (NoDaemonException | ErrandException e) {
      return false;
    }
  }

  /** The version and build of the daemon. */
  public JsonFields version() {
    return get(Routes.VERSION).json();
  }

  /** The daemon's metrics in the Prometheus text format. */
  public String metrics() {
    return new String(get(Routes.METRICS).body(), StandardCharsets.UTF_8);
  }

  /** Runs the clean-up; returns what was removed. */
  public JsonFields gc() {
    return transport.call(post(Routes.GC, IdempotencyKeys.next())).json();
  }

  /**
   * Stops the daemon. Its tasks are handled by its settings, or all tasks and hosts are ended; the
   * answer has the action and its maximum duration.
   */
  public JsonFields shutdown(boolean all) {
    return shutdown(JsonWriter.object(out -> out.bool("all", all)));
  }

  /** The same before a restart: all tasks go on. */
  public JsonFields shutdownForRestart() {
    try {
      return shutdown(JsonWriter.object(out -> out.bool("restart", true)));
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.INVALID_REQUEST) {
        throw e;
      }
      // A daemon of an earlier version ignores the field and always leaves tasks running.
      return shutdown(false);
    }
  }

  private JsonFields shutdown(byte[] body) {
    return transport.call(post(Routes.SHUTDOWN, IdempotencyKeys.next()).json(body)).json();
  }

  /** The daemon's settings, and where each value comes from. */
  public JsonFields config() {
    return get(Routes.CONFIG).json();
  }

  /** Reloads the settings; returns what changed now and what changes after a restart. */
  public JsonFields reload() {
    return transport.call(post(Routes.RELOAD, IdempotencyKeys.next())).json();
  }

  /** Processes that outlived or escaped from their tasks. */
  public JsonFields processes() {
    return get(Routes.PROCESSES).json();
  }

  /** Ends one of those with its descendants; returns which are dead and which are not. */
  public JsonFields endProcess(long pid) {
    var body = JsonWriter.object(out -> out.number("pid", pid));
    return transport.call(post(Routes.PROCESSES_END, IdempotencyKeys.next()).json(body)).json();
  }

  private BufferedResponse get(String target) {
    return transport.call(HttpRequest.of("GET", target).header(Headers.ACCEPT, Headers.JSON));
  }

  private static HttpRequest post(String target, String key) {
    return HttpRequest.of("POST", target).header(Headers.IDEMPOTENCY_KEY, key);
  }

  @Override
  public void close() {
    transport.close();
  }
}
