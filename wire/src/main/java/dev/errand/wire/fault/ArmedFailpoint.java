package dev.errand.wire.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The action of an armed failpoint, and the pass at which it happens, once. */
final class ArmedFailpoint {
  private final Action action;
  private final AtomicLong left;

  /** What can happen at a point. */
  enum Action {
    /** As {@code kill -9}. */
    KILL,
    /** As {@code kill -STOP}. */
    STOP,
    /** As a disk that fails. */
    ERROR
  }

  private ArmedFailpoint(Action action, long pass) {
    this.action = action;
    this.left = new AtomicLong(pass);
  }

  /** The action of this point in a setting such as {@code host.spawned=kill@3}, if there is one. */
  static @Nullable ArmedFailpoint of(String point, String setting) {
    for (var entry : entries(setting)) {
      if (word(entry).equals(point)) {
        return parse(entry);
      }
    }
    return null;
  }

  /** The points that a setting names. */
  static List<String> words(String setting) {
    return entries(setting).stream().map(ArmedFailpoint::word).toList();
  }

  private static List<String> entries(String setting) {
    var entries = new ArrayList<String>();
    for (var entry : setting.split(",", -1)) {
      if (!entry.isBlank()) {
        entries.add(entry.strip());
      }
    }
    return entries;
  }

  private static String word(String entry) {
    var end = entry.indexOf('=');
    if (end < 0) {
      throw new IllegalArgumentException("a failpoint looks like name=kill@1, not " + entry);
    }
    return entry.substring(0, end);
  }

  private static ArmedFailpoint parse(String entry) {
    var told = entry.substring(entry.indexOf('=') + 1);
    var at = told.indexOf('@');
    var action = Action.valueOf((at < 0 ? told : told.substring(0, at)).toUpperCase(Locale.ROOT));
    return new ArmedFailpoint(action, at < 0 ? 1 : Long.parseLong(told.substring(at + 1)));
  }

  void pass() throws IOException {
    if (left.decrementAndGet() != 0) {
      return;
    }
    switch (action) {
      case KILL -> OwnSignal.KILL.raise();
      case STOP -> OwnSignal.STOP.raise();
      case ERROR -> throw new IOException("failpoint");
    }
  }
}
