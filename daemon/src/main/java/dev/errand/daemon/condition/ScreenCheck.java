package dev.errand.daemon.condition;

import com.google.re2j.Pattern;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;

/** Whether a pattern occurs on the screen of a terminal. */
final class ScreenCheck implements Check {
  private final Pattern pattern;
  private final ScreenWatch screen;

  ScreenCheck(Pattern pattern, Terminals terminals, Share share, Time clock) {
    this.pattern = pattern;
    this.screen = new ScreenWatch(terminals, share, clock);
  }

  @Override
  public Verdict look(Moment moment) throws InterruptedException {
    var view = screen.at(moment);
    if (view == null) {
      return new Verdict.NotYet(screen.again(moment));
    }
    var text = String.join("\n", view.lines());
    var matcher = pattern.matcher(text);
    if (matcher.find()) {
      var row = (int) text.substring(0, matcher.start()).chars().filter(it -> it == '\n').count();
      var snippet = Snippet.around(text, matcher.start(), matcher.end());
      return new Verdict.Holds(new Held.Screen(view.seq(), view.offset(), row, snippet));
    }
    if (view.seq() >= moment.seq()) {
      return Verdict.UNTIL_FRAME;
    }
    // There was too much to render at once.
    return moment.ended() ? Verdict.UNFINISHED : new Verdict.NotYet(screen.again(moment));
  }
}
