package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A WebSocket spoken by hand, frame by frame, so that a test can also speak it wrongly. */
final class SocketWire implements AutoCloseable {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  static final Map<String, String> UPGRADE =
      Map.of(
          "Connection", "Upgrade",
          "Upgrade", "websocket",
          "Sec-WebSocket-Version", "13",
          "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");

  private static final byte[] MASK = {1, 2, 3, 4};

  private final Wire wire;

  private SocketWire(Wire wire) {
    this.wire = wire;
  }

  /** What the server sent: an opcode and its payload. */
  @SuppressWarnings("ArrayRecordComponent") // Looked at, never compared.
  record Frame(int opcode, byte[] payload) {
    String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    JsonNode json() {
      assertThat(opcode).as("a text frame, not %s", text()).isEqualTo(TEXT);
      return Json.read(payload);
    }

    long offset() {
      assertThat(opcode).as("a binary frame, not %s", text()).isEqualTo(BINARY);
      return ByteBuffer.wrap(payload).getLong();
    }

    /** What stands behind the offset. */
    String output() {
      assertThat(opcode).as("a binary frame, not %s", text()).isEqualTo(BINARY);
      return new String(payload, Long.BYTES, payload.length - Long.BYTES, StandardCharsets.UTF_8);
    }

    int closeCode() {
      assertThat(opcode).as("a close frame, not %s", text()).isEqualTo(CLOSE);
      return ByteBuffer.wrap(payload).getShort();
    }
  }

  static SocketWire open(Wire wire, String target, Map<String, String> headers) throws IOException {
    var all = new HashMap<>(UPGRADE);
    all.putAll(headers);
    wire.request("GET", target, all, null);
    assertThat(wire.head().status()).isEqualTo(101);
    return new SocketWire(wire);
  }

  void text(String text) throws IOException {
    frame(true, TEXT, text.getBytes(StandardCharsets.UTF_8), true);
  }

  void frame(boolean last, int opcode, byte[] payload, boolean masked) throws IOException {
    var out = new ByteArrayOutputStream();
    out.write((last ? 0x80 : 0) | opcode);
    var bit = masked ? 0x80 : 0;
    if (payload.length < 126) {
      out.write(bit | payload.length);
    } else if (payload.length < 1 << 16) {
      out.write(bit | 126);
      out.writeBytes(ByteBuffer.allocate(2).putShort((short) payload.length).array());
    } else {
      out.write(bit | 127);
      out.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
    }
    if (masked) {
      out.writeBytes(MASK);
    }
    for (var i = 0; i < payload.length; i++) {
      out.write(masked ? payload[i] ^ MASK[i % MASK.length] : payload[i]);
    }
    wire.send(out.toByteArray());
  }

  void send(byte[] bytes) throws IOException {
    wire.send(bytes);
  }

  /** The next frame that is not a ping. */
  Frame next() throws IOException {
    while (true) {
      var frame = any();
      if (frame.opcode() != PING) {
        return frame;
      }
    }
  }

  Frame any() throws IOException {
    var head = wire.read(2);
    assertThat(head[0] & 0x80).as("frames are whole").isNotZero();
    assertThat(head[1] & 0x80).as("a server does not mask").isZero();
    var length = head[1] & 0x7F;
    if (length == 126) {
      length = ByteBuffer.wrap(wire.read(2)).getShort() & 0xFFFF;
    } else if (length == 127) {
      length = Math.toIntExact(ByteBuffer.wrap(wire.read(8)).getLong());
    }
    return new Frame(head[0] & 0x0F, wire.read(length));
  }

  /** The next message of this type; others are passed over. */
  JsonNode message(String type) throws IOException {
    while (true) {
      var frame = next();
      if (frame.opcode() == TEXT && frame.json().path("type").stringValue("").equals(type)) {
        return frame.json();
      }
      assertThat(frame.opcode())
          .as("%s before a message %s", frame.text(), type)
          .isNotEqualTo(CLOSE);
    }
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
