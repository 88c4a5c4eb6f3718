package dev.errand.daemon.condition;

import dev.errand.daemon.compute.Share;
import dev.errand.host.linux.TerminalReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Whether a terminal seems to wait for someone to type: silent for a moment, the cursor behind a
 * text that looks like a question or a prompt, and a foreground process that waits for input. None
 * of it is a proof, so what is said is how sure it is.
 */
final class PromptCheck implements Check {
  private static final Duration SILENCE = Duration.ofMillis(300);

  /** The kernel tells nobody that a process waits for input, so it is asked this often. */
  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * Such as {@code Password:}, {@code $}, {@code >>>}, {@code (gdb)}, {@code [Y/n]}, {@code
   * Continue?}.
   */
  private static final Pattern PROMPT = Pattern.compile("(?s).*[:?>$#%»❯➜λ\\])] {0,2}");

  private final Quiet quiet;
  private final ScreenWatch screen;

  PromptCheck(Terminals terminals, Share share, TaskFrames frames, InstantSource clock) {
    this.quiet = new Quiet(frames, clock, SILENCE);
    this.screen = new ScreenWatch(terminals, share);
  }

  @Override
  public Verdict look(Moment moment) throws InterruptedException {
    var process = moment.process();
    if (process == null) {
      return Verdict.UNTIL_FRAME;
    }
    var left = SILENCE.minus(quiet.at(moment, process));
    if (left.isPositive()) {
      return new Verdict.NotYet(left);
    }
    var view = screen.at(moment);
    if (view == null || view.seq() < moment.seq()) {
      return new Verdict.NotYet(screen.again(moment));
    }
    if (!isPrompt(view)) {
      return Verdict.UNTIL_FRAME;
    }
    var reader = TerminalReader.of(process.identity().pid());
    if (reader.isEmpty()) {
      return new Verdict.NotYet(POLL);
    }
    var it = reader.get();
    var confidence = it.sureness().name().toLowerCase(Locale.ROOT);
    return new Verdict.Holds(
        new Held.Prompt(view.seq(), confidence, it.pid(), Snippet.of(view.beforeCursor())));
  }

  static boolean isPrompt(Terminals.View view) {
    return view.behindCursor().isBlank() && PROMPT.matcher(view.beforeCursor()).matches();
  }
}
