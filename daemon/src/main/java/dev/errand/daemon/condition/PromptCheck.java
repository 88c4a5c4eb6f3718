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
 * Whether a terminal seems to wait for someone to type: silent for a moment, and a foreground
 * process that waits for input. Besides either the cursor stands behind a text that looks like a
 * question or a prompt, or the terminal gives each key as it is typed and something is drawn for
 * whoever types, as the menus of installers are. None of it is a proof, so what is said is how sure
 * it is. What is seen is put on record, for others who look at the task.
 */
final class PromptCheck implements Check {
  private static final Duration SILENCE = Duration.ofMillis(300);

  /** The kernel tells nobody that a process waits for input, so it is asked this often. */
  private static final Duration POLL = Duration.ofMillis(200);

  /** Without a text that asks something it is asked less and less often, by this part of time. */
  private static final int AGAIN_PART = 5;

  private static final Duration AGAIN_MAX = Duration.ofSeconds(2);

  /**
   * Such as {@code Password:}, {@code $}, {@code >>>}, {@code (gdb)}, {@code [Y/n]}, {@code
   * Continue?}.
   */
  private static final Pattern PROMPT = Pattern.compile("(?s).*[:?>$#%»❯➜λ\\])] {0,2}");

  private final Quiet quiet;
  private final ScreenWatch screen;
  private final Engine engine;
  private final Time clock;

  PromptCheck(Terminals terminals, Share share, TaskFrames frames, Engine engine, Time clock) {
    this.quiet = new Quiet(frames, clock, SILENCE);
    this.screen = new ScreenWatch(terminals, share, clock);
    this.engine = engine;
    this.clock = clock;
  }

  @Override
  public boolean holdsUntilOutput() {
    return true;
  }

  @Override
  public Verdict look(Moment moment) throws InterruptedException {
    var process = moment.process();
    if (process == null) {
      return Verdict.UNTIL_FRAME;
    }
    var silent = quiet.at(moment, process);
    if (silent.compareTo(SILENCE) < 0) {
      return new Verdict.NotYet(SILENCE.minus(silent));
    }
    var view = screen.at(moment);
    if (view == null || view.seq() < moment.seq()) {
      return new Verdict.NotYet(screen.again(moment));
    }
    var asks = isPrompt(view);
    if (!asks && !isDrawn(view)) {
      return Verdict.UNTIL_FRAME;
    }
    var reader = TerminalReader.of(process.identity().pid()).orElse(null);
    if (reader == null || !(asks || (!reader.timed() && reader.readsKeys()))) {
      return new Verdict.NotYet(asks ? POLL : again(silent));
    }
    var confidence = sureness(asks, view, reader).name().toLowerCase(Locale.ROOT);
    var text = Snippet.of(asks ? view.cursor().before() : drawn(view));
    record(moment, new TaskCommand.SeePrompt(text, confidence, offset(moment), clock.millis()));
    return new Verdict.Holds(new Held.Prompt(view.seq(), confidence, reader.pid(), text));
  }

  private static Duration again(Duration silent) {
    var again = silent.dividedBy(AGAIN_PART);
    if (again.compareTo(POLL) < 0) {
      return POLL;
    }
    return again.compareTo(AGAIN_MAX) > 0 ? AGAIN_MAX : again;
  }

  /** A text that just ends at the cursor may be that of a program behind another, as over ssh. */
  private static Sureness sureness(boolean asks, Terminals.View view, TerminalReader reader) {
    var justEnds = view.cursor().visible() && view.cursor().behind().isBlank();
    return !asks && justEnds ? Sureness.LOW : reader.sureness();
  }

  private static long offset(Moment moment) {
    return moment.total(LogStream.PTY);
  }

  /** That it cannot be recorded is no reason not to tell who asks. */
  private void record(Moment moment, TaskCommand.SeePrompt seen) {
    try {
      var _ = engine.submit(moment.taskId(), seen, null);
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.INSUFFICIENT_STORAGE) {
        throw e;
      }
    }
  }

  static boolean isPrompt(Terminals.View view) {
    return view.cursor().behind().isBlank() && PROMPT.matcher(view.cursor().before()).matches();
  }

  /**
   * Whether something may be drawn for whoever types: an input with the cursor in it, or a menu
   * without one. Programs that fill the whole screen always wait for keys, and ask nothing.
   */
  static boolean isDrawn(Terminals.View view) {
    var cursor = view.cursor();
    return !view.alternate()
        && (cursor.visible()
            ? !(cursor.before() + cursor.behind()).isBlank()
            : view.lines().stream().anyMatch(it -> !it.isBlank()));
  }

  /**
   * What is drawn: the line of the cursor or, where that is hidden, the last lines, up to two blank
   * ones.
   */
  static String drawn(Terminals.View view) {
    var cursor = view.cursor();
    if (cursor.visible()) {
      return (cursor.before() + cursor.behind()).stripTrailing();
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
