package dev.errand.daemon.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** {@code daemon.json}: where the running daemon is, for clients; gone when none runs. */
public record DaemonFile(
    long pid, Path socket, @Nullable String http, Instant startedAt, String build) {

  public void write(Path file) throws IOException {
    var json = JsonMapper.shared().createObjectNode();
    json.put("pid", pid);
    json.put("http", http);
    json.putNull("rpc");
    json.put("socket", socket.toString());
    json.put("started_at", startedAt.toString());
    json.put("build", build);
    PrivateFile.write(file, json.toPrettyString() + "\n");
  }

  public static void remove(Path file) throws IOException {
    Files.deleteIfExists(file);
  }
}
