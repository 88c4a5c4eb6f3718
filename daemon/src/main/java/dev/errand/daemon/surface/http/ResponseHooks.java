package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Ask;
import java.util.ArrayList;
import java.util.List;

/** What to do when a request was answered, or could not be, the newest first. */
final class ResponseHooks implements AutoCloseable {
  private final List<Ask.Delivered> all = new ArrayList<>();
  private boolean heard;

  void add(Ask.Delivered then) {
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
