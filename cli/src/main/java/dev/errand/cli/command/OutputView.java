package dev.errand.cli.command;

import dev.errand.cli.render.Sizes;
import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.SafeText;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.OutputSink;
import dev.errand.wire.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a task's standard output and standard error to those of this program. On a terminal it is
 * escaped; files and pipes get the exact bytes.
 */
final class OutputView implements OutputSink {

  /** How the bytes are shown. */
  enum Mode {
    /** Escaped on a terminal, exact elsewhere. */
    SAFE,
    EXACT,
    JSON;

    static Mode of(boolean json, boolean raw) {
      if (json) {
        return JSON;
      }
      return raw ? EXACT : SAFE;
    }
  }

  private final Console console;
  private final TaskId taskId;
  private final Mode mode;
  private final @Nullable LogStream only;
  private final Map<LogStream, SafeText> safe = new EnumMap<>(LogStream.class);

  OutputView(Console console, TaskId taskId, Mode mode, @Nullable LogStream only) {
    this.console = console;
    this.taskId = taskId;
    this.mode = mode;
    this.only = only;
  }

  @Override
  public long wantedFrom(LogStream stream, long from, long to) {
    return only == null || only == stream ? from : to;
  }

  @Override
  public void output(LogStream stream, long offset, byte[] bytes) {
    if (mode == Mode.JSON) {
      json(stream, offset, bytes);
    } else if (mode == Mode.EXACT || !isTerminal(stream)) {
      write(stream, bytes);
    } else {
      var text = safe.computeIfAbsent(stream, _ -> new SafeText()).next(bytes);
      write(stream, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  public void gap(LogStream stream, long from, long to) {
    if (mode == Mode.JSON) {
      console.print(
          JsonLines.object(out -> head(out, "gap", stream).number("from", from).number("to", to)));
    } else {
      console.say(
          "errand: [%s of %s are not kept: bytes %d to %d]"
              .formatted(Sizes.text(to - from), stream.word(), from, to));
    }
  }

  /** Writes the incomplete character or line end at the end of the stream. */
  void end() {
    safe.forEach((stream, text) -> write(stream, text.end().getBytes(StandardCharsets.UTF_8)));
    safe.clear();
  }

  private boolean isTerminal(LogStream stream) {
    return stream == LogStream.STDERR
        ? console.terminal().errIsTerminal()
        : console.terminal().outIsTerminal();
  }

  private void write(LogStream stream, byte[] bytes) {
    if (stream == LogStream.STDERR) {
      console.writeError(bytes);
    } else {
      console.write(bytes);
    }
  }

  private void json(LogStream stream, long offset, byte[] bytes) {
    var text = textOf(bytes);
    console.print(
        JsonLines.object(out -> {
          head(out, "output", stream).number("offset", offset).number("bytes", bytes.length);
          if (text == null) {
            out.text("b64", Base64.getEncoder().encodeToString(bytes));
          } else {
            out.text("text", text);
          }
        }));
  }

  private JsonWriter head(JsonWriter out, String type, LogStream stream) {
    return out.text("type", type).text("task_id", taskId.value()).text("stream", stream.word());
  }

  /** The bytes as text if they are UTF-8, and null if a text would not be exact. */
  private static @Nullable String textOf(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
