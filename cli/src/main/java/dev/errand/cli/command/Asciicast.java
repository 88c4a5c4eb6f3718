package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.OutputSink;
import dev.errand.wire.json.Json;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Writes a terminal's record as an asciicast, the recording that asciinema plays: a header, then a
 * line for each output, each other size and each place where bytes are missing.
 */
final class Asciicast implements OutputSink {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Its name is the version in the header. In the third, times count from the last event. */
  enum Version {
    TWO(2),
    THREE(3);

    private final int number;

    Version(int number) {
      this.number = number;
    }
  }

  private final Version version;
  private final Consumer<String> lines;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);

  private byte[] incomplete = new byte[0];
  private @Nullable EventFrame spawned;
  private boolean headed;
  private long startMs;
  private long lastMs;
  private long nowMs;

  Asciicast(Version version, Consumer<String> lines) {
    this.version = version;
    this.lines = lines;
  }

  @Override
  public void frame(EventFrame frame) {
    nowMs = Math.max(nowMs, FrameTimes.of(frame));
    if (startMs == 0 && frame.fields().number("started_at_ms", 0) > 0) {
      startMs = nowMs;
    }
    if (frame.type().equals("tool_task_spawned")) {
      spawned = frame;
    } else if (frame.type().equals("tool_task_resized")) {
      var size = frame.fields().number("cols") + "x" + frame.fields().number("rows");
      event("r", size);
    } else if (frame.isTerminal()) {
      end(frame);
    }
  }

  @Override
  public void output(LogStream stream, long offset, byte[] bytes) {
    var text = decode(bytes, false);
    if (stream == LogStream.PTY && !text.isEmpty()) {
      event("o", text);
    }
  }

  @Override
  public void gap(LogStream stream, long from, long to) {
    event("m", "%d bytes are not kept".formatted(to - from));
  }

  private void end(EventFrame frame) {
    var rest = decode(new byte[0], true);
    if (!rest.isEmpty()) {
      event("o", rest);
    }
    var code = frame.fields().numberOrNull("exit_code");
    if (version == Version.THREE && code != null) {
      event("x", code.toString());
    }
  }

  /** The header, if no event has brought it about. */
  void finish() {
    header();
  }

  private void event(String kind, String data) {
    header();
    var at = version == Version.TWO ? nowMs - startMs : nowMs - lastMs;
    lastMs = nowMs;
    var seconds = BigDecimal.valueOf(Math.max(0, at), 3).toPlainString();
    lines.accept("[%s, \"%s\", %s]".formatted(seconds, kind, Json.text(JSON.stringNode(data))));
  }

  private void header() {
    if (headed) {
      return;
    }
    headed = true;
    startMs = startMs == 0 ? nowMs : startMs;
    lastMs = startMs;
    var fields = spawned == null ? null : spawned.fields();
    var rows = fields == null ? 24 : fields.number("rows", 24);
    var cols = fields == null ? 80 : fields.number("cols", 80);
    var node = JSON.objectNode().put("version", version.number);
    if (version == Version.TWO) {
      node.put("width", cols).put("height", rows);
    } else {
      node.putObject("term").put("cols", cols).put("rows", rows).put("type", "xterm-256color");
    }
    node.put("timestamp", startMs / 1000);
    if (fields != null && fields.textOrNull("title") != null) {
      node.put("title", fields.text("title"));
    }
    node.putObject("env").put("TERM", "xterm-256color");
    lines.accept(Json.text(node));
  }

  /** A character whose bytes lie in two outputs comes with the second. */
  private String decode(byte[] bytes, boolean last) {
    var in =
        ByteBuffer.allocate(incomplete.length + bytes.length).put(incomplete).put(bytes).flip();
    var out = CharBuffer.allocate(in.remaining() + 1);
    decoder.reset();
    decoder.decode(in, out, last);
    incomplete = new byte[in.remaining()];
    in.get(incomplete);
    return out.flip().toString();
  }
}
