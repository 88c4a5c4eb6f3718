package dev.errand.daemon.attach;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.compute.Share;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a client wants to be attached.
 *
 * @param from the offset of the first byte to send; null: the screen first, then what follows
 * @param afterSeq the last frame that it knows, so that later resizes are sent at their position
 *     among the bytes; null: only later events are sent
 * @param view whether it only watches
 * @param window the size of its window, which the terminal takes; null: the size does not change
 * @param client the client
 */
public record AttachRequest(
    TaskId taskId,
    LogStream stream,
    @Nullable Long from,
    @Nullable Long afterSeq,
    boolean view,
    @Nullable TerminalSize window,
    Client client) {

  /**
   * The name that frames show, the session that it reads for, whether it is still admitted (a token
   * can be revoked), its share of the processors, and what it may do.
   */
  public record Client(
      String principal,
      SessionId session,
      BooleanSupplier admitted,
      Share share,
      Controls controls) {}
}
