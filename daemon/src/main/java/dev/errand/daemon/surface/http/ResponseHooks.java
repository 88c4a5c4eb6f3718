package dev.errand.daemon.surface.http;

import dev.errand.daemon.task.ResultReads;
import java.util.ArrayList;
import java.util.List;

/** What is to be done when a request is answered, or cannot be, the newest first. */
final class ResponseHooks implements AutoCloseable {
  private final List<ResultReads.Answered> all = new ArrayList<>();
  private boolean heard;

  void add(ResultReads.Answered then) {
    all.add(then);
  }

  /** The kernel has taken the whole answer, and it is no refusal. */
  void heard() {
    heard = true;
  }

  @Override
  public void close() {
    all.reversed().forEach(it -> it.done(heard));
  }
}
