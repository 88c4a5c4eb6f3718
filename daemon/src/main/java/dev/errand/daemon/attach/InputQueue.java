package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.HostFact;
import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.Tasks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The input of one client on its way to the task, in order. The next message goes to the host as
 * soon as the previous one is applied; it is acknowledged later, when its frame is seen. If the
 * task does not read now, or does not run yet, the client has to wait.
 */
final class InputQueue {
  /** The maximum number of waiting writes; further ones wait in the client's own socket. */
  private static final int WAITING_MAX = 32;

  /**
   * How often a thread that waits for a free place checks whether the client is still connected.
   */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  private final Tasks tasks;
  private final AttachRequest request;
  private final AdmittedLink link;
  private final Window window;
  private final Time clock;
  private final BlockingQueue<ClientMessage.Stdin> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Signal room = new Signal();

  /** The writes with an id that are applied and not known to be recorded, in order. */
  private final Deque<Unacknowledged> unacknowledged = new ArrayDeque<>();

  /** The operation being applied, and whether its frame was seen before that was finished. */
  private @Nullable String applying;

  private boolean seenAlready;

  /** Held while acknowledgements are sent too, so that they go out in the order of the writes. */
  private final ReentrantLock acknowledging = new ReentrantLock();

  /** One write; a client may give the same id to several, and each of them is answered. */
  private record Unacknowledged(String opId, String writeId, int bytes) {}

  InputQueue(Tasks tasks, AttachRequest request, AdmittedLink link, Window window, Time clock) {
    this.tasks = tasks;
    this.request = request;
    this.link = link;
    this.window = window;
    this.clock = clock;
  }

  /** Blocks while too many writes wait, so that a client cannot send faster than a task reads. */
  void take(ClientMessage.Stdin message) throws InterruptedException {
    while (!waiting.offer(message)) {
      if (!clock.await(room, LOOK_AGAIN) && !link.isOpen()) {
        return;
      }
    }
  }

  /** Applies the accepted writes, until interrupted or until the client is gone. */
  void run() throws IOException, InterruptedException {
    while (link.isOpen()) {
      var message = waiting.take();
      room.raise();
      try {
        request.client().controls().apply(Controls.Control.STDIN, () -> write(message));
      } catch (ErrandException e) {
        link.text(ServerMessages.error(e, message.writeId()));
      }
    }
  }

  private void write(ClientMessage.Stdin message) throws IOException, InterruptedException {
    var taken = 0;
    while (true) {
      link.check();
      window.fit();
      var rest = rest(message.request(), taken);
      begin(rest.opId());
      try {
        applied(message, rest.opId(), tasks.type(request.taskId(), rest));
        return;
      } catch (ErrandException e) {
        if (!e.code().retryable()) {
          throw e;
        }
        taken += Math.toIntExact(e.facts().getOrDefault("bytes_written", 0L));
        clock.sleep(RETRY_PAUSE);
      }
    }
  }

  /** The unwritten rest of a write; its id is the same for a repeat of that write. */
  private static CommandRunner.StdinRequest rest(CommandRunner.StdinRequest request, int taken) {
    return taken == 0
        ? request
        : new CommandRunner.StdinRequest(
            request.opId() + "+" + taken,
            Arrays.copyOfRange(request.data(), taken, request.data().length),
            request.eof(),
            request.secret(),
            request.keys(),
            request.by());
  }

  /** A frame shows that input is recorded, of any client. */
  void recorded(HostFact.StdinWrite write) throws IOException, InterruptedException {
    if (!write.full()) {
      recorded(write.opId());
    }
  }

  private void recorded(String opId) throws IOException, InterruptedException {
    acknowledging.lockInterruptibly();
    try {
      // Only the thread that applies it knows whether it was taken: another write may have the same
      // id.
      seenAlready |= opId.equals(applying);
      while (unacknowledged.stream().anyMatch(it -> it.opId().equals(opId))) {
        acknowledgeFirst();
      }
    } finally {
      acknowledging.unlock();
    }
  }

  private void begin(String opId) throws InterruptedException {
    acknowledging.lockInterruptibly();
    try {
      applying = opId;
      seenAlready = false;
    } finally {
      acknowledging.unlock();
    }
  }

  /**
   * All writes that were applied before it are recorded too, since the host records them in order.
   */
  private void applied(ClientMessage.Stdin message, String opId, boolean recorded)
      throws IOException, InterruptedException {
    acknowledging.lockInterruptibly();
    try {
      applying = null;
      var writeId = message.writeId();
      if (writeId != null) {
        var bytes = message.request().data().length;
        unacknowledged.addLast(new Unacknowledged(opId, writeId, bytes));
      }
      while ((recorded || seenAlready) && !unacknowledged.isEmpty()) {
        acknowledgeFirst();
      }
    } finally {
      acknowledging.unlock();
    }
  }

  private void acknowledgeFirst() throws IOException, InterruptedException {
    var write = unacknowledged.removeFirst();
    link.text(ServerMessages.ack(write.writeId(), write.bytes()));
  }
}
