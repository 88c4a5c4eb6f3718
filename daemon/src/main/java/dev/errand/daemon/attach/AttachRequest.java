package dev.errand.daemon.attach;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.compute.Share;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants to be attached to.
 *
 * @param from the offset of the first byte it lacks; null: the screen first, then what follows
 * @param afterSeq the last frame it knows, so that later resizes come in their place among the
 *     bytes; null: only what happens from now on is told
 * @param view it only looks
 * @param window the size of its own window, which the terminal is to take; null: any will do
 * @param client who it is
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
   * The name that frames show, the session that it looks for, and whether it may still be here: a
   * token can be revoked; what it has of the processors; and what it may do.
   */
  public record Client(
      String principal,
      SessionId session,
      BooleanSupplier admitted,
      Share share,
      Controls controls) {}
}
