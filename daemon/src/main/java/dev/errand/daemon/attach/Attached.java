package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.time.Time;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.task.ResultReads;
import dev.errand.wire.http.CloseCode;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attached client. One thread runs it and sends; another thread passes in the messages of the
 * client.
 */
public final class Attached {
  private static final Logger LOG = LoggerFactory.getLogger(Attached.class);

  /** How soon a revoked token is noticed while nothing else happens. */
  private static final Duration TICK = Duration.ofSeconds(1);

  private static final int FRAMES_AT_ONCE = 64;

  /** A client that misses this many pings is disconnected. */
  private static final int MISSED_PINGS_MAX = 3;

  private final Attachments.Sources sources;
  private final AttachRequest request;
  private final AdmittedLink link;
  private final Window window;
  private final InputQueue inputs;
  private final Duration pingEvery;
  private final Time clock;
  private long seq;
  private boolean over;
  private long pingedAtNanos;

  Attached(
      Attachments.Sources sources,
      AttachRequest request,
      Link link,
      Duration pingEvery,
      Time clock) {
    this.sources = sources;
    this.request = request;
    this.link = new AdmittedLink(link, request.client().admitted());
    this.window = new Window(sources.tasks(), request);
    this.inputs = new InputQueue(sources.tasks(), request, this.link, window, clock);
    this.pingEvery = pingEvery;
    this.clock = clock;
    this.pingedAtNanos = clock.ticks();
  }

  /** Sends until the task is over, the client is gone, or the thread is interrupted. */
  void run() {
    var keyboard = Thread.ofVirtual().name("attach-typing").start(this::type);
    try (var following = sources.feed().follow(StreamKey.of(request.taskId()))) {
      // Checked after following began: an earlier end is seen here, a later one by the feed.
      over = !sources.views().rowOf(request.taskId()).active();
      follow(following, begin(following));
    } catch (InterruptedException _) {
      link.close(CloseCode.RESTART, "the daemon is stopping");
    } catch (IOException e) {
      LOG.debug("an attached client is gone", e);
      link.close(CloseCode.NORMAL, "");
    } catch (ErrandException e) {
      fail(e);
    } finally {
      keyboard.interrupt();
    }
  }

  private void fail(ErrandException failure) {
    try {
      link.text(ServerMessages.error(failure, null));
    } catch (IOException | InterruptedException e) {
      LOG.debug("an attached client is gone", e);
    }
    link.close(CloseCode.INTERNAL, failure.code().name());
  }

  private LogSender begin(Feed.Following following) throws IOException, InterruptedException {
    // Before the screen is read, so that it is drawn at the size at which it is shown.
    window.fit();
    var from = request.from();
    return from == null && request.stream() == LogStream.PTY
        ? beginWithScreen(following)
        : beginAt(following, from == null ? total() : from);
  }

  private LogSender beginWithScreen(Feed.Following following)
      throws IOException, InterruptedException {
    var drawn = sources.screen().draw(request.client().share(), request.taskId());
    var past = new TerminalHistory(following, sources.codec());
    hello(past, drawn.offset(), drawn.seq(), following.head());
    link.text(ServerMessages.screen(drawn));
    return new LogSender(sources.logs(), request, link, drawn.offset());
  }

  private LogSender beginAt(Feed.Following following, long offset)
      throws IOException, InterruptedException {
    var past = new TerminalHistory(following, sources.codec());
    var head = following.head();
    var total = total();
    var after = request.afterSeq();
    // For a terminal the frames report changes of size too, each at its position among the bytes.
    var replays = after == null && request.stream() == LogStream.PTY && offset < total;
    var known = after == null ? head : after;
    hello(past, offset, replays ? past.seqBefore(offset, head) : known, head);
    var sender = new LogSender(sources.logs(), request, link, offset);
    if (after == null && !replays) {
      // The stored bytes are sent directly; their frames add nothing.
      sender.sendUpTo(total);
    }
    return sender;
  }

  /** Sends the position at which the client starts, and the size of the terminal there. */
  private void hello(TerminalHistory past, long offset, long place, long head)
      throws IOException, InterruptedException {
    seq = place;
    var now = sources.tasks().terminal(request.taskId());
    var size = now == null ? null : past.sizeAfter(place, head, now);
    link.text(ServerMessages.hello(request, size, offset, place, over));
  }

  private long total() {
    return sources.logs().total(request.taskId(), request.stream());
  }

  private void follow(Feed.Following following, LogSender sender)
      throws IOException, InterruptedException {
    while (link.isOpen()) {
      // Read before the frames: a change of size that is not seen here does not precede these
      // bytes.
      var growth = following.growth();
      var stored = Math.max(following.stored(), pendingEnd(following));
      var head = following.head();
      var frames = following.next(seq, FRAMES_AT_ONCE);
      for (var frame : frames) {
        show(frame, sender);
        seq = frame.seq();
      }
      if (!frames.isEmpty()) {
        continue;
      }
      if (head > seq) {
        throw new ErrandException(ErrorCode.TASK_REMOVED, "the task was removed");
      }
      if (over || following.ended()) {
        if (following.head() == seq) {
          end();
          return;
        }
      } else {
        // The echo of a key need not wait for the commit of its frame: the log has the bytes.
        sender.sendUpTo(stored);
        var _ = following.awaitBehind(seq, Math.max(stored, sender.at()), growth, TICK);
        keepAlive();
      }
    }
  }

  private long pendingEnd(Feed.Following following) {
    return following.pendingAfter(seq).end(request.stream(), 0);
  }

  private void show(EncodedFrame frame, LogSender sender) throws IOException, InterruptedException {
    switch (sources.codec().decodeTask(frame).event()) {
      case TaskEvent.Output it when it.stream() == request.stream() ->
          sender.sendUpTo(it.offset() + it.bytes());
      case TaskEvent.StdinWritten it -> inputs.recorded(it.write());
      case TaskEvent.Started _ -> window.fit();
      case TaskEvent.Resized it ->
          link.text(ServerMessages.resized(it.size(), it.by(), frame.seq()));
      case TaskEvent.Spawned _,
          TaskEvent.Approved _,
          TaskEvent.Denied _,
          TaskEvent.Attempted _,
          TaskEvent.Output _,
          TaskEvent.OutputMerged _,
          TaskEvent.OutputGap _,
          TaskEvent.OutputLost _,
          TaskEvent.Signalled _,
          TaskEvent.KillStepped _,
          TaskEvent.LimitPassed _,
          TaskEvent.CancelRequested _,
          TaskEvent.Requeued _,
          TaskEvent.ArtifactWritten _,
          TaskEvent.Cancelled _,
          TaskEvent.WatcherHit _,
          TaskEvent.WatcherSilenced _,
          TaskEvent.BecameReady _,
          TaskEvent.PromptSeen _,
          TaskEvent.Ended _,
          TaskEvent.Unknown _ -> {}
    }
  }

  private void end() throws IOException, InterruptedException {
    link.text(ServerMessages.end(sources.views().view(request.taskId())));
    var client = request.client();
    var reader = new ResultReads.Reader(client.principal(), client.session());
    sources.reads().read(request.taskId(), reader);
    link.close(CloseCode.NORMAL, "the task is over");
  }

  private void keepAlive() throws IOException, InterruptedException {
    link.check();
    if (link.silentNanos() > pingEvery.multipliedBy(MISSED_PINGS_MAX).toNanos()) {
      throw new IOException("the client was silent for too long");
    }
    var now = clock.ticks();
    if (now - pingedAtNanos >= pingEvery.toNanos()) {
      pingedAtNanos = now;
      link.ping();
    }
  }

  private void type() {
    try {
      inputs.run();
    } catch (InterruptedException | IOException e) {
      LOG.debug("an attached client types no more", e);
    }
  }

  /** Handles a text message; returns when the next may come. */
  public void received(String text) throws IOException, InterruptedException {
    try {
      received(text, ClientMessage.of(text, request.client().principal()));
    } catch (ErrandException e) {
      link.text(ServerMessages.error(e, ClientMessage.writeIdOf(text)));
    }
  }

  private void received(String text, ClientMessage message)
      throws IOException, InterruptedException {
    switch (message) {
      case ClientMessage.Ping _ -> link.text(ServerMessages.PONG);
      case ClientMessage.Stdin it -> {
        request.client().controls().check(Controls.Control.STDIN);
        inputs.take(it);
      }
      case ClientMessage.Resize it -> {
        request.client().controls().check(Controls.Control.RESIZE);
        window.resize(it.size());
      }
      case ClientMessage.Unreadable it -> refuse(CloseCode.BAD_PAYLOAD, it.why());
      case ClientMessage.Unknown _ -> {
        var why = "unknown type of message; use stdin, resize or ping";
        refuse(CloseCode.UNSUPPORTED, why, ClientMessage.writeIdOf(text));
      }
    }
  }

  /** Tells the client what was wrong with its message, and closes the connection. */
  public void refuse(int closeCode, String why) throws IOException, InterruptedException {
    refuse(closeCode, why, null);
  }

  private void refuse(int closeCode, String why, @Nullable String writeId)
      throws IOException, InterruptedException {
    link.text(ServerMessages.error(new ErrandException(ErrorCode.INVALID_REQUEST, why), writeId));
    link.close(closeCode, why);
  }
}
