package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import dev.errand.core.time.Time;
import dev.errand.daemon.feed.Feed;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of one wait: for each condition those that can make it true. */
final class WaitChecks {
  /** If frames come faster, several are searched together: each search repeats a little text. */
  private static final Duration BETWEEN_SEARCHES = Duration.ofMillis(20);

  private final List<List<Check>> checks;
  private final boolean searches;
  private final Time clock;
  private Duration again = Duration.ZERO;

  WaitChecks(List<List<Check>> checks, Time clock) {
    this.checks = checks;
    this.clock = clock;
    this.searches = checks.stream().flatMap(List::stream).anyMatch(TextCheck.class::isInstance);
  }

  /** The first condition that is true, or that none can become true; null while one still can. */
  @Nullable Awaited check(Observation seen) throws InterruptedException {
    again = CheckResult.UNTIL_FRAME.again();
    for (var i = 0; i < checks.size(); i++) {
      for (var check : checks.get(i)) {
        switch (check.check(seen)) {
          case CheckResult.Holds(var met) -> {
            return new Awaited.Holds(i, met);
          }
          case CheckResult.NotYet(var soon) -> again = soon.compareTo(again) < 0 ? soon : again;
        }
      }
    }
    return seen.ended() && again.isPositive() ? new Awaited.Ended() : null;
  }

  /**
   * Returns when it is time for the next check, or after {@code atMost}.
   *
   * @param growth that of the output before the last observation
   */
  void pause(Feed.Following following, Observation seen, long growth, Duration atMost)
      throws InterruptedException {
    if (again.isZero()) {
      // A search of a long log must be interruptible too.
      clock.sleep(Duration.ZERO);
      return;
    }
    var wait = again.compareTo(atMost) < 0 ? again : atMost;
    if (following.awaitNews(seen.seq(), growth, wait) && searches && !following.ended()) {
      var rest = BETWEEN_SEARCHES.minusNanos(clock.ticks() - seen.nanos());
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
