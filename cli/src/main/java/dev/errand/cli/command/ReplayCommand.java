package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.EventStream;
import dev.errand.wire.client.OutputSink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand replay}: plays the recorded output with its original timing; runs nothing. */
final class ReplayCommand implements CliCommand {
  private static final String SPEED = "--speed";
  private static final String MAX_PAUSE = "--max-pause";
  private static final String NO_WAIT = "--no-wait";
  private static final String RAW = "--raw";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "replay",
            new Specs.About(
                "Play the recorded output of a task again, without running anything",
                "ID [OPTIONS]",
                """
                Output appears with the pauses it was written with. --json prints the recorded \
                frames instead, at the same pace. The record of a terminal is played to this \
                terminal as it was; when it ends, or with Ctrl-C, this terminal is put in order. \
                --at begins after that frame, with the screen as it was then.\
                """,
                List.of(
                    "errand replay build --speed 4 --max-pause 1s",
                    "errand replay editor --at 120",
                    "errand replay build --no-wait --json")));
    spec.addPositional(TaskNames.one());
    spec.addOption(Specs.text("X", "the speed, as a factor (default: 1)", SPEED));
    spec.addOption(Specs.duration("shorten longer pauses to this", MAX_PAUSE));
    spec.addOption(Specs.flag("without pauses", NO_WAIT));
    spec.addOption(Specs.count("SEQ", "begin after this frame", ScreenCommand.AT));
    spec.addOption(Specs.flag("exact bytes, also on a terminal", RAW));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var json = Specs.has(parsed, Specs.JSON);
    var pace = pace(parsed);
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(Specs.positional(parsed));
      var at = ScreenCommand.seq(parsed);
      var afterSeq = at == null ? -1 : at;
      if (json) {
        frames(client.history(taskId, afterSeq), pace, context);
      } else if (client.status(taskId).hasTerminal()) {
        new TerminalReplay(client, taskId, context.console()).play(at, pace::await);
      } else {
        var mode = OutputView.Mode.of(false, Specs.has(parsed, RAW));
        var view = new OutputView(context.console(), taskId, mode, null);
        client.play(taskId, afterSeq, output(pace, view));
        view.end();
      }
      return ExitCode.OK.number();
    }
  }

  private static Pace pace(ParseResult parsed) {
    var speed = Values.factor(parsed.matchedOptionValue(SPEED, "1"));
    var pauseMax = parsed.matchedOptionValue(MAX_PAUSE, Duration.ofDays(1));
    return new Pace(speed, Specs.has(parsed, NO_WAIT) ? Duration.ZERO : pauseMax);
  }

  private static void frames(EventStream history, Pace pace, Context context) {
    try (history) {
      for (var frame = history.next(); frame != null; frame = history.next()) {
        pace.await(FrameTimes.of(frame));
        context.console().print(frame.text());
      }
    }
  }

  private static OutputSink output(Pace pace, OutputView view) {
    return new OutputSink() {
      @Override
      public void frame(EventFrame frame) {
        pace.await(FrameTimes.of(frame));
      }

      @Override
      public void output(LogStream stream, long offset, byte[] bytes) {
        view.output(stream, offset, bytes);
      }

      @Override
      public void gap(LogStream stream, long from, long to) {
        view.gap(stream, from, to);
      }
    };
  }

  /** Waits between two frames as long as was recorded between them, divided by the speed. */
  private static final class Pace {
    private final double speed;
    private final Duration pauseMax;
    private long lastMs = -1;

    Pace(double speed, Duration pauseMax) {
      this.speed = speed;
      this.pauseMax = pauseMax;
    }

    void await(long timestampMs) {
      var between = lastMs < 0 ? 0 : Math.max(0, timestampMs - lastMs);
      lastMs = Math.max(lastMs, timestampMs);
      var pause = Math.min((long) (between / speed), pauseMax.toMillis());
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while replaying");
      }
    }
  }
}
