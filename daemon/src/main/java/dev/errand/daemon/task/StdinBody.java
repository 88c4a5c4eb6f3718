package dev.errand.daemon.task;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.terminal.KeyNames;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The body of a write to a task: bytes, text or keys. */
public final class StdinBody {
  public static final List<String> FIELDS =
      List.of("chunk_b64", "text", "keys", "write_id", "eof", "secret");

  /** The Base64 length of the largest write, with some line ends. */
  private static final int CHARS_MAX = 2 * HttpBounds.STDIN_BYTES_MAX;

  public static final int WRITE_ID_CHARS_MAX = 255;

  private static final Pattern WRITE_ID =
      Pattern.compile("[\\x21-\\x7e]{1," + WRITE_ID_CHARS_MAX + "}");

  private static final int SHOWN_CHARS_MAX = 40;

  private StdinBody() {}

  /**
   * A write.
   *
   * @param writeId identifies a write, independent of the call's key
   * @param keys whether these are keys, which only a terminal accepts
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed through once, never compared.
  public record Input(
      @Nullable String writeId, byte[] data, boolean eof, boolean secret, boolean keys) {

    /** Of keys that are typed. */
    public static Input typed(byte[] data) {
      return new Input(null, data, false, false, true);
    }

    public CommandRunner.StdinRequest as(String callId, String by) {
      return new CommandRunner.StdinRequest(
          writeId == null ? callId : writeId, data, eof, secret, keys, by);
    }

    /** The input may be a password. */
    @Override
    public String toString() {
      return "Input[" + data.length + " bytes]";
    }
  }

  public static Input read(RequestFields fields) {
    var writeId = fields.text("write_id", Integer.MAX_VALUE);
    if (writeId != null && !WRITE_ID.matcher(writeId).matches()) {
      throw fields.refuse("write_id", "1 to 255 printable characters without blanks");
    }
    var input =
        new Input(
            writeId,
            data(fields),
            fields.bool("eof", false),
            fields.bool("secret", false),
            fields.has("keys"));
    if (input.data().length == 0 && !input.eof()) {
      throw RequestFields.invalid(
          "there is nothing to write: send chunk_b64, text or keys, or eof: true");
    }
    return input;
  }

  private static byte[] data(RequestFields fields) {
    var base64 = fields.text("chunk_b64", CHARS_MAX);
    var text = fields.text("text", CHARS_MAX);
    var ways = List.of(base64 != null, text != null, fields.has("keys"));
    if (ways.stream().filter(it -> it).count() > 1) {
      throw RequestFields.invalid("send one of chunk_b64, text and keys");
    }
    var data =
        base64 != null
            ? decoded(base64)
            : text != null ? text.getBytes(StandardCharsets.UTF_8) : keys(fields);
    if (data.length > HttpBounds.STDIN_BYTES_MAX) {
      throw new ErrandException(
          ErrorCode.TOO_LARGE,
          "one call takes "
              + HttpBounds.STDIN_BYTES_MAX
              + " bytes, not "
              + data.length
              + "; send it in parts");
    }
    return data;
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      throw RequestFields.invalid("chunk_b64 is not Base64");
    }
  }

  private static byte[] keys(RequestFields fields) {
    var bytes = new ByteArrayOutputStream();
    if (fields.has("keys")) {
      for (var name : fields.texts("keys")) {
        bytes.writeBytes(KeyNames.bytes(name).orElseThrow(() -> noSuchKey(name)));
      }
    }
    return bytes.toByteArray();
  }

  private static ErrandException noSuchKey(String name) {
    return RequestFields.invalid(
        "unknown key "
            + shown(name)
            + "; use a single character, "
            + String.join(", ", KeyNames.names())
            + ", optionally after C-, M- or S-");
  }

  /** Shortens a name and removes control characters, so that the message stays on one line. */
  private static String shown(String name) {
    var clean = name.codePoints().filter(it -> !Character.isISOControl(it)).limit(SHOWN_CHARS_MAX);
    return clean
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, (_, _) -> {})
        .toString();
  }
}
