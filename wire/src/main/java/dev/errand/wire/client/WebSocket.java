package dev.errand.wire.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The client side of a WebSocket (RFC 6455), without extensions: whole messages in, text messages
 * out. One thread reads; any thread may send.
 */
final class WebSocket implements AutoCloseable {
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  /** A screen is the longest; a larger message is refused. */
  private static final int MESSAGE_BYTES_MAX = 32 * 1024 * 1024;

  private static final int CONTROL_BYTES_MAX = 125;
  private static final int LAST = 0x80;
  private static final int MASKED = 0x80;
  private static final int LENGTH_16 = 126;
  private static final int LENGTH_64 = 127;
  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private final HttpConnection connection;
  private final InputStream in;
  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();

  private WebSocket(HttpConnection connection) {
    this.connection = connection;
    this.in = connection.input();
    this.out = connection.output();
  }

  /** What the peer said. */
  sealed interface Message {
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
    record Text(byte[] utf8) implements Message {}

    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
    record Binary(byte[] bytes) implements Message {}

    /** The last one; a peer that gives no code has code 1005. */
    record Closed(int code, String reason) implements Message {}
  }

  /** It need only be new: it shows that the answer is one to this request. */
  static String newKey() {
    var bytes = new byte[16];
    ThreadLocalRandom.current().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  static HttpRequest asking(HttpRequest request, String key) {
    return request
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", key);
  }

  static WebSocket of(HttpResponse response, String key) throws IOException {
    if (!accepted(key).equals(response.header("Sec-WebSocket-Accept"))) {
      response.connection().close();
      throw new BadAnswerException("the peer answered the WebSocket handshake of another client");
    }
    return new WebSocket(response.connection());
  }

  private static String accepted(String key) {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      var bytes = digest.digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  /** The next message; pings on the way are answered. */
  Message read() throws IOException {
    @Nullable ByteArrayOutputStream parts = null;
    var kind = CONTINUATION;
    while (true) {
      var frame = readFrame();
      switch (frame.opcode) {
        case PING -> send(PONG, frame.payload);
        case PONG -> {}
        case CLOSE -> {
          return closed(frame.payload);
        }
        case TEXT, BINARY, CONTINUATION -> {
          if ((frame.opcode == CONTINUATION) != (parts != null)) {
            throw new BadAnswerException("the parts of a message are out of order");
          }
          if (parts == null) {
            parts = new ByteArrayOutputStream(frame.payload.length);
            kind = frame.opcode;
          }
          if (parts.size() + frame.payload.length > MESSAGE_BYTES_MAX) {
            throw new BadAnswerException("a message has more than " + MESSAGE_BYTES_MAX + " bytes");
          }
          parts.writeBytes(frame.payload);
          if (frame.last) {
            var whole = parts.toByteArray();
            return kind == TEXT ? new Message.Text(whole) : new Message.Binary(whole);
          }
        }
        default -> throw new BadAnswerException("a frame of unknown type: " + frame.opcode);
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  private record Frame(int opcode, boolean last, byte[] payload) {}

  private Frame readFrame() throws IOException {
    var head = exactly(2);
    var opcode = head[0] & 0x0F;
    var last = (head[0] & LAST) != 0;
    if ((head[0] & 0x70) != 0 || (head[1] & MASKED) != 0) {
      throw new BadAnswerException("a frame with reserved bits set");
    }
    long length = head[1] & 0x7F;
    if (length == LENGTH_16) {
      length = ByteBuffer.wrap(exactly(Short.BYTES)).getShort() & 0xFFFF;
    } else if (length == LENGTH_64) {
      length = ByteBuffer.wrap(exactly(Long.BYTES)).getLong();
    }
    if (opcode >= CLOSE && (!last || length > CONTROL_BYTES_MAX)) {
      throw new BadAnswerException("a control frame in parts, or too long");
    }
    if (length < 0 || length > MESSAGE_BYTES_MAX) {
      throw new BadAnswerException("a frame has more than " + MESSAGE_BYTES_MAX + " bytes");
    }
    return new Frame(opcode, last, exactly((int) length));
  }

  private byte[] exactly(int count) throws IOException {
    var bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the connection ended");
    }
    return bytes;
  }

  /** A close is answered by a close, and then the connection is over. */
  private Message closed(byte[] payload) {
    var code = payload.length < 2 ? 1005 : ByteBuffer.wrap(payload).getShort() & 0xFFFF;
    var reason =
        payload.length < 2
            ? ""
            : new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
    try {
      send(CLOSE, payload);
    } catch (IOException e) {
      // The peer may be gone already.
    }
    connection.close();
    return new Message.Closed(code, reason);
  }

  void text(byte[] utf8) throws IOException {
    send(TEXT, utf8);
  }

  private void send(int opcode, byte[] payload) throws IOException {
    var frame = frame(opcode, payload);
    writing.lock();
    try {
      out.write(frame);
    } finally {
      writing.unlock();
    }
  }

  /**
   * A client masks what it sends, so that no proxy takes it for something else. There is no proxy
   * to a daemon, so the mask need not be unpredictable.
   */
  private static byte[] frame(int opcode, byte[] payload) {
    var buffer = ByteBuffer.allocate(14 + payload.length);
    buffer.put((byte) (LAST | opcode));
    if (payload.length < LENGTH_16) {
      buffer.put((byte) (MASKED | payload.length));
    } else if (payload.length <= 0xFFFF) {
      buffer.put((byte) (MASKED | LENGTH_16)).putShort((short) payload.length);
    } else {
      buffer.put((byte) (MASKED | LENGTH_64)).putLong(payload.length);
    }
    var mask = new byte[4];
    ThreadLocalRandom.current().nextBytes(mask);
    buffer.put(mask);
    for (var i = 0; i < payload.length; i++) {
      buffer.put((byte) (payload[i] ^ mask[i & 3]));
    }
    var frame = new byte[buffer.flip().remaining()];
    buffer.get(frame);
    return frame;
  }

  /** Sends a close frame if that is possible at once, and drops the connection. */
  void leave(int code) {
    try {
      if (writing.tryLock()) {
        try {
          out.write(frame(CLOSE, ByteBuffer.allocate(2).putShort((short) code).array()));
        } finally {
          writing.unlock();
        }
      }
    } catch (IOException e) {
      // It is dropped either way.
    }
    close();
  }

  /** Drops the connection; readers and writers get an exception. */
  @Override
  public void close() {
    connection.close();
  }
}
