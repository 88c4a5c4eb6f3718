package dev.errand.daemon.tool.text;

import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.PlainText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a waiting task waits for, in words. */
final class WaitText {
  private static final String UNKNOWN = "waits";
  private static final int CHARS_MAX = 400;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private WaitText() {}

  static String of(TaskView view, long nowMs) {
    return PlainText.line(
        switch (view) {
          case TaskView.Held it -> held(it, nowMs);
          case TaskView.Queued it -> queued(it, it.place(), nowMs);
          case TaskView.Running _, TaskView.Ended _ -> UNKNOWN;
        },
        CHARS_MAX);
  }

  private static String held(TaskView.Held held, long nowMs) {
    var since = Duration.ofMillis(Math.max(0, nowMs - held.facts().origin().createdAtMs()));
    var until = held.untilMs() == 0 ? "" : ", until " + clock(held.untilMs(), nowMs);
    return "waits for a person's approval since " + Elapsed.text(since) + until;
  }

  /** The time of day, with the day where that is another one. */
  private static String clock(long atMs, long nowMs) {
    var isToday = Duration.ofMillis(atMs).toDays() == Duration.ofMillis(nowMs).toDays();
    return (isToday ? TIME : DAY).format(Instant.ofEpochMilli(atMs));
  }

  private static String queued(TaskView.Queued task, @Nullable QueuePlace place, long nowMs) {
    if (place == null) {
      return UNKNOWN;
    }
    return switch (place.reason()) {
      case LANE -> lane(task, place);
      case AFTER -> after(place);
      case DELAY -> {
        var left = Duration.ofMillis(Math.max(0, place.untilMs() - nowMs));
        yield "waits for its delay, " + Elapsed.text(left) + " left";
      }
      case SESSION_QUOTA ->
          capacity(place, "of this session are taken by " + place.ahead().names());
      case GLOBAL_QUOTA -> capacity(place, "of all sessions are taken" + own(place));
      case PLACE -> capacity(place, "commands run");
    };
  }

  private static String lane(TaskView.Queued task, QueuePlace place) {
    var name = task.facts().grouping().lane();
    var behind = place.behind();
    return "waits in %s, place %d%s"
        .formatted(
            name == null ? "its lane" : "lane \"" + name + "\"",
            place.position(),
            behind == null ? "" : ", behind " + place.ahead().name(behind));
  }

  private static String after(QueuePlace place) {
    var ahead = place.ahead();
    var behind = place.behind();
    if (ahead.taken() > 1) {
      return "waits for tasks " + ahead.names() + " to end";
    }
    return behind == null ? UNKNOWN : "waits for task " + ahead.name(behind) + " to end";
  }

  /** The tasks of other sessions are no business of its caller. */
  private static String own(QueuePlace place) {
    var ahead = place.ahead();
    return ahead.tasks().isEmpty() ? "" : ", in this session by " + tasks(ahead);
  }

  private static String tasks(QueuePlace.Ahead ahead) {
    return new QueuePlace.Ahead(0, 0, ahead.tasks(), 0, ahead.labels()).names();
  }

  private static String capacity(QueuePlace place, String taken) {
    var ahead = place.ahead();
    var waits =
        switch (ahead.count()) {
          case 0 -> "waits for a place";
          case 1 -> "waits for a place after 1 task";
          default -> "waits for a place after " + ahead.count() + " tasks";
        };
    return ahead.limit() == 0 || ahead.taken() < ahead.limit()
        ? waits
        : "%s: %d of %d %s".formatted(waits, ahead.taken(), ahead.limit(), taken);
  }
}
