package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import dev.errand.core.time.Time;
import dev.errand.daemon.feed.Feed;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of one who waits: for each condition those that may make it hold. */
final class Watch {
  /**
   * While frames come faster, several are searched together: each search goes over a little again.
   */
  private static final Duration BETWEEN_SEARCHES = Duration.ofMillis(20);

  private final List<List<Check>> checks;
  private final boolean searches;
  private final Time clock;
  private Duration again = Duration.ZERO;

  Watch(List<List<Check>> checks, Time clock) {
    this.checks = checks;
    this.clock = clock;
    this.searches = checks.stream().flatMap(List::stream).anyMatch(TextCheck.class::isInstance);
  }

  /** The first condition that holds, or that none ever will; null while one still may. */
  @Nullable Awaited look(Moment moment) throws InterruptedException {
    again = Check.Verdict.UNTIL_FRAME.again();
    for (var i = 0; i < checks.size(); i++) {
      for (var check : checks.get(i)) {
        switch (check.look(moment)) {
          case Check.Verdict.Holds(var held) -> {
            return new Awaited.Holds(i, held);
          }
          case Check.Verdict.NotYet(var soon) -> again = soon.compareTo(again) < 0 ? soon : again;
        }
      }
    }
    return moment.ended() && again.isPositive() ? new Awaited.Ended() : null;
  }

  /**
   * Returns when another look is due, or so much time is over.
   *
   * @param growth that of the output before the moment of the last look
   */
  void pause(Feed.Following following, Moment moment, long growth, Duration atMost)
      throws InterruptedException {
    if (again.isZero()) {
      // Whoever searches a long log must be stoppable too.
      clock.sleep(Duration.ZERO);
      return;
    }
    var wait = again.compareTo(atMost) < 0 ? again : atMost;
    if (following.awaitNews(moment.seq(), growth, wait) && searches && !following.ended()) {
      var rest = BETWEEN_SEARCHES.minusNanos(clock.ticks() - moment.nanos());
      clock.sleep(rest.isPositive() ? rest : Duration.ZERO);
    }
  }

  Awaited.TimedOut timedOut() {
    var searched = new EnumMap<LogStream, Long>(LogStream.class);
    for (var alternatives : checks) {
      for (var check : alternatives) {
        if (check instanceof TextCheck it) {
          searched.merge(it.stream(), it.searchedTo(), Math::min);
        }
      }
    }
    return new Awaited.TimedOut(searched);
  }
}
