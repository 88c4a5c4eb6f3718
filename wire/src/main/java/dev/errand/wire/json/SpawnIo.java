package dev.errand.wire.json;

import dev.errand.core.task.Command;
import dev.errand.core.task.TerminalSize;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a task's streams are treated; with a size it gets a terminal. */
public record SpawnIo(
    boolean stdin,
    @Nullable Long capBytes,
    Command.OnOutputLimit onOutputLimit,
    @Nullable TerminalSize terminal,
    @Nullable Long shownBytesMax) {
  private static final long FRAMES_MAX_DEFAULT = 100_000;
  private static final long CAP_BYTES_DEFAULT = 1L << 30;

  static final RequestField<FieldType.Flag> STDIN =
      RequestField.of(
          "stdin", new FieldType.Flag(), "open its standard input, to write to it; default: false");
  static final RequestField<FieldType.Whole> CAP =
      RequestField.of(
          "artifact_max_bytes",
          new FieldType.Whole(4 * 1024, 1L << 40),
          "output kept of each stream, at most what the daemon keeps");

  private static final String PTY = "pty";
  private static final RequestField<FieldType.Word> MODE =
      RequestField.of(
          "execution_mode",
          new FieldType.Word("pipes", PTY),
          "pty gives it a terminal: one stream, always with input; default: pipes");
  private static final RequestField<FieldType.Whole> ROWS =
      side("rows", "rows", TerminalSize.DEFAULT.rows());
  private static final RequestField<FieldType.Whole> COLS =
      side("cols", "columns", TerminalSize.DEFAULT.cols());
  private static final RequestField<FieldType.Word> AT_CAP =
      RequestField.of(
          "on_output_limit",
          new FieldType.Word("truncate", "kill"),
          "what happens at artifact_max_bytes: drop the middle, or end the task; default: truncate");

  /** What is shown item by item is answered in pages, so more than its bound is read otherwise. */
  private static final RequestField<FieldType.Whole> SHOWN =
      RequestField.of(
          "max_output_bytes",
          new FieldType.Whole(1, 64 << 20),
          "how much of its output the tool shell shows item by item; the log keeps all");

  static final List<RequestField<?>> FIELDS = List.of(MODE, ROWS, COLS, STDIN, CAP, AT_CAP, SHOWN);

  private static RequestField<FieldType.Whole> side(String name, String plural, int usual) {
    return RequestField.of(
        name,
        new FieldType.Whole(TerminalSize.MIN, TerminalSize.MAX),
        plural + " of the terminal; default: " + usual);
  }

  static SpawnIo read(RequestFields body, RequestFields args) {
    var stdin = same(STDIN, body.flag(STDIN), args.flag(STDIN));
    var terminal = terminal(body, stdin);
    var atCap = body.word(AT_CAP);
    return new SpawnIo(
        stdin != null && stdin,
        same(CAP, body.integer(CAP), args.integer(CAP)),
        atCap == null
            ? Command.OnOutputLimit.TRUNCATE
            : EnumWords.of(Command.OnOutputLimit.class, atCap),
        terminal,
        body.integer(SHOWN));
  }

  private static @Nullable TerminalSize terminal(RequestFields body, @Nullable Boolean stdin) {
    var rows = body.integer(ROWS);
    var cols = body.integer(COLS);
    if (!PTY.equals(body.word(MODE))) {
      if (rows != null || cols != null) {
        throw RequestFields.invalid(
            "rows and cols are for a terminal; say \"execution_mode\": \"pty\" or leave them out");
      }
      return null;
    }
    if (stdin != null && !stdin) {
      throw RequestFields.invalid("stdin is false, but a terminal always has input; leave it out");
    }
    return new TerminalSize(
        rows == null ? TerminalSize.DEFAULT.rows() : rows.intValue(),
        cols == null ? TerminalSize.DEFAULT.cols() : cols.intValue());
  }

  /** Some fields may stand in the body or in its args, but must not say two things. */
  private static <T> @Nullable T same(RequestField<?> field, @Nullable T outer, @Nullable T inner) {
    var name = field.name();
    if (outer != null && inner != null && !Objects.equals(outer, inner)) {
      throw RequestFields.invalid(
          name + " is " + outer + " and args." + name + " is " + inner + "; say it once");
    }
    return outer == null ? inner : outer;
  }

  Command.Io spec(SpawnRequest.Defaults defaults) {
    return new Command.Io(
        terminal == null ? Command.ExecutionMode.PIPES : Command.ExecutionMode.PTY,
        stdin,
        capBytes == null ? defaults.capBytes() : capBytes,
        onOutputLimit,
        defaults.framesMax(),
        terminal,
        shownBytesMax);
  }

  /** As fields at the end of the first frame, where those came that older programs did not have. */
  static void writeLater(JsonWriter out, Command.Io io) {
    SpecJson.given(out, SHOWN.name(), io.shownBytesMax());
  }

  /** As a first frame has it, which may be of an older program. */
  static Command.Io recorded(JsonFields in) {
    var mode = EnumWords.of(Command.ExecutionMode.class, in.text("execution_mode", "pipes"));
    return new Command.Io(
        mode,
        in.object("args").bool("stdin", false),
        in.object("artifacts").number("artifact_max_bytes", CAP_BYTES_DEFAULT),
        EnumWords.of(Command.OnOutputLimit.class, in.text("on_output_limit", "truncate")),
        in.number("max_frames", FRAMES_MAX_DEFAULT),
        mode == Command.ExecutionMode.PTY ? SpecJson.size(in) : null,
        in.numberOrNull("max_output_bytes"));
  }
}
