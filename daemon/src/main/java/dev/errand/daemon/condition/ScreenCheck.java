package dev.errand.daemon.condition;

import com.google.re2j.Pattern;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;

/** Whether a pattern occurs on the screen of a terminal. */
final class ScreenCheck implements Check {
  private final Pattern pattern;
  private final ScreenSampler screen;

  ScreenCheck(Pattern pattern, ScreenSource terminals, Share share, Time clock) {
    this.pattern = pattern;
    this.screen = new ScreenSampler(terminals, share, clock);
  }

  @Override
  public CheckResult check(Observation seen) throws InterruptedException {
    var view = screen.at(seen);
    if (view == null) {
      return new CheckResult.NotYet(screen.again(seen));
    }
    var text = String.join("\n", view.lines());
    var matcher = pattern.matcher(text);
    if (matcher.find()) {
      var row = (int) text.substring(0, matcher.start()).chars().filter(it -> it == '\n').count();
      var snippet = Snippet.around(text, matcher.start(), matcher.end());
      return new CheckResult.Holds(
          new ConditionMet.Screen(view.seq(), view.offset(), row, snippet));
    }
    if (view.seq() >= seen.seq()) {
      return CheckResult.UNTIL_FRAME;
    }
    // There was too much to render at once.
    return seen.ended() ? CheckResult.UNFINISHED : new CheckResult.NotYet(screen.again(seen));
  }
}
