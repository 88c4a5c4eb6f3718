package dev.errand.wire.http;

import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a running daemon says of itself in {@code daemon.json}: its pid, where HTTP and RPC listen
 * on TCP ({@code host:port}, if they do), its Unix socket, and since when it runs.
 */
public record DaemonFile(
    long pid, @Nullable String http, @Nullable String rpc, String socket, Instant startedAt) {

  public byte[] encode() {
    var json =
        JsonWriter.object(out ->
            out.number("pid", pid)
                .text("http", http)
                .text("rpc", rpc)
                .text("socket", socket)
                .text("started_at", startedAt.toString()));
    return (new String(json, StandardCharsets.UTF_8) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Fails with an {@code ErrandException} for what is no such file. */
  public static DaemonFile decode(byte[] text) {
    var in = JsonFields.of(text);
    return new DaemonFile(
        in.number("pid"),
        in.textOrNull("http"),
        in.textOrNull("rpc"),
        in.text("socket"),
        Instant.parse(in.text("started_at", "1970-01-01T00:00:00Z")));
  }

  /** The socket alone: whoever only wants to call need not load what reads a date. */
  public static String socketOf(byte[] text) {
    return JsonFields.of(text).text("socket");
  }
}
