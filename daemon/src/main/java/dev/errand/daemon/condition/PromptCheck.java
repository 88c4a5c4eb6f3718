package dev.errand.daemon.condition;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import dev.errand.host.linux.TerminalReader;
import dev.errand.host.linux.TerminalReader.Sureness;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Whether a terminal seems to wait for input: it is silent, and a foreground process reads from it.
 * In addition either the cursor is after a text that looks like a question or a prompt, or the
 * terminal passes on single keys and something is drawn for the user, such as the menu of an
 * installer. None of this is proof, so the result has a confidence. A prompt that was seen is
 * recorded, for other readers of the task.
 */
final class PromptCheck implements Check {
  private static final Duration SILENCE = Duration.ofMillis(300);

  /** The kernel gives no notice of a process that waits for input, so it is checked this often. */
  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * Without a text that looks like a prompt the pause between checks grows, as a part of the
   * silence.
   */
  private static final int AGAIN_PART = 5;

  private static final Duration AGAIN_MAX = Duration.ofSeconds(2);

  /**
   * Such as {@code Password:}, {@code $}, {@code >>>}, {@code (gdb)}, {@code [Y/n]}, {@code
   * Continue?}.
   */
  private static final Pattern PROMPT = Pattern.compile("(?s).*[:?>$#%»❯➜λ\\])] {0,2}");

  private final OutputSilence silence;
  private final ScreenSampler screen;
  private final Engine engine;
  private final Time clock;

  PromptCheck(ScreenSource terminals, Share share, TaskFrames frames, Engine engine, Time clock) {
    this.silence = new OutputSilence(frames, clock, SILENCE);
    this.screen = new ScreenSampler(terminals, share, clock);
    this.engine = engine;
    this.clock = clock;
  }

  @Override
  public boolean holdsUntilOutput() {
    return true;
  }

  @Override
  public CheckResult check(Observation seen) throws InterruptedException {
    var process = seen.process();
    if (process == null) {
      return CheckResult.UNTIL_FRAME;
    }
    var silent = silence.of(seen, process);
    if (silent.compareTo(SILENCE) < 0) {
      return new CheckResult.NotYet(SILENCE.minus(silent));
    }
    var view = screen.at(seen);
    if (view == null || view.seq() < seen.seq()) {
      return new CheckResult.NotYet(screen.again(seen));
    }
    var asks = isPrompt(view);
    if (!asks && !isDrawn(view)) {
      return CheckResult.UNTIL_FRAME;
    }
    var reader = TerminalReader.of(process.identity().pid()).orElse(null);
    if (reader == null || !(asks || (!reader.timed() && reader.readsKeys()))) {
      return new CheckResult.NotYet(asks ? POLL : again(silent));
    }
    var confidence = confidence(asks, view, reader).name().toLowerCase(Locale.ROOT);
    var text = Snippet.of(asks ? view.cursor().before() : drawn(view));
    record(seen, new TaskCommand.SeePrompt(text, confidence, offset(seen), clock.millis()));
    return new CheckResult.Holds(
        new ConditionMet.Prompt(view.seq(), confidence, reader.pid(), text));
  }

  private static Duration again(Duration silent) {
    var again = silent.dividedBy(AGAIN_PART);
    if (again.compareTo(POLL) < 0) {
      return POLL;
    }
    return again.compareTo(AGAIN_MAX) > 0 ? AGAIN_MAX : again;
  }

  /**
   * A text that just ends at the cursor may be from a program that runs through another, as over
   * ssh.
   */
  private static Sureness confidence(boolean asks, ScreenSource.View view, TerminalReader reader) {
    var justEnds = view.cursor().visible() && view.cursor().after().isBlank();
    return !asks && justEnds ? Sureness.LOW : reader.sureness();
  }

  private static long offset(Observation seen) {
    return seen.total(LogStream.PTY);
  }

  /** On a full disk it is not recorded; the caller gets it nevertheless. */
  private void record(Observation seen, TaskCommand.SeePrompt prompt) {
    try {
      var _ = engine.submit(seen.taskId(), prompt, null);
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.INSUFFICIENT_STORAGE) {
        throw e;
      }
    }
  }

  static boolean isPrompt(ScreenSource.View view) {
    return view.cursor().after().isBlank() && PROMPT.matcher(view.cursor().before()).matches();
  }

  /**
   * Whether something may be drawn for the user: an input with the cursor in it, or a menu without
   * one. Programs that fill the whole screen always wait for keys, and ask nothing.
   */
  static boolean isDrawn(ScreenSource.View view) {
    var cursor = view.cursor();
    return !view.alternate()
        && (cursor.visible()
            ? !(cursor.before() + cursor.after()).isBlank()
            : view.lines().stream().anyMatch(it -> !it.isBlank()));
  }

  /**
   * What is drawn: the line of the cursor or, where that is hidden, the last lines, up to two blank
   * ones.
   */
  static String drawn(ScreenSource.View view) {
    var cursor = view.cursor();
    if (cursor.visible()) {
      return (cursor.before() + cursor.after()).stripTrailing();
    }
    var text = new StringBuilder();
    var blanks = 0;
    for (var line : view.lines().reversed()) {
      blanks = line.isBlank() ? blanks + 1 : 0;
      var isTooLong = text.length() + line.length() >= Snippet.CHARS_MAX;
      if (!text.isEmpty() && (blanks > 1 || isTooLong)) {
        break;
      }
      if (blanks == 0) {
        text.insert(0, line.stripTrailing() + (text.isEmpty() ? "" : "\n"));
      }
    }
    return text.toString();
  }
}
