package dev.errand.wire.http;

import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code daemon.json} about the running daemon: its pid, where HTTP and RPC listen
 * on TCP ({@code host:port}, if they do), its Unix socket, since when it runs, and in which home. A
 * file with another home was copied from there.
 */
public record DaemonFile(
    long pid,
    @Nullable String http,
    @Nullable String rpc,
    String socket,
    Instant startedAt,
    @Nullable String home) {

  public byte[] encode() {
    var json =
        JsonWriter.object(out ->
            out.number("pid", pid)
                .text("http", http)
                .text("rpc", rpc)
                .text("socket", socket)
                .text("started_at", startedAt.toString())
                .text("home", home));
    return (new String(json, StandardCharsets.UTF_8) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Fails with an {@code ErrandException} if the content is invalid. */
  public static DaemonFile decode(byte[] text) {
    var in = JsonFields.of(text);
    return new DaemonFile(
        in.number("pid"),
        in.textOrNull("http"),
        in.textOrNull("rpc"),
        in.text("socket"),
        Instant.parse(in.text("started_at", "1970-01-01T00:00:00Z")),
        in.textOrNull("home"));
  }

  /** Where a daemon listens, and in which home it runs; null where it does not say. */
  public record Door(String socket, @Nullable String home) {}

  /** Only the addresses, so that a client need not load the date classes. */
  public static Door doorOf(byte[] text) {
    var in = JsonFields.of(text);
    return new Door(in.text("socket"), in.textOrNull("home"));
  }
}
