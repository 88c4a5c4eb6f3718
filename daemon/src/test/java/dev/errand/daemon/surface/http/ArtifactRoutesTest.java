package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.errand.core.task.LogStream;
import dev.errand.daemon.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content by its digest, whole and by range; logs by their id are the same bytes. */
final class ArtifactRoutesTest {
  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    var d = Config.DEFAULTS.serving();
    var limits =
        new Config.Serving(
            d.requestBytesMax(),
            1_000,
            d.pageMax(),
            d.waitSecondsMax(),
            d.subscribersMax(),
            d.connectionsMax());
    surface = Surface.start(folder, null, HttpSettings.Times.DEFAULTS, limits);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private String upload(String content) throws IOException {
    var answer = surface.call("PUT", "/artifacts", Map.of(), content);
    assertThat(answer.status()).isEqualTo(201);
    return json(answer).path("artifact_id").stringValue("");
  }

  @Test
  void bytes_that_were_changed_on_the_disk_are_never_given_as_the_artifact() throws IOException {
    var id = upload("hello");
    Files.writeString(folder.resolve("artifacts").resolve(id.substring(0, 2)).resolve(id), "hellp");

    var answer = surface.get("/artifacts/" + id);

    assertThat(answer.status()).isEqualTo(500);
    assertThat(code(answer)).isEqualTo("ARTIFACT_DAMAGED");
    var range = surface.call("GET", "/artifacts/" + id, Map.of("Range", "bytes=0-3"), null);
    assertThat(range.text()).isEqualTo("hell");
  }

  @Test
  void an_upload_is_kept_under_its_digest() throws IOException {
    var id = upload("hello");

    assertThat(id).isEqualTo("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    assertThat(surface.journal.artifactLinks(id)).hasSize(1);
    assertThat(surface.get("/artifacts/" + id).text()).isEqualTo("hello");
    var head = surface.call("HEAD", "/artifacts/" + id, Map.of(), null);
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Length")).isEqualTo("5");
    assertThat(head.header("Accept-Ranges")).isEqualTo("bytes");
  }

  @Test
  void an_upload_over_the_limit_is_refused_declared_or_not() throws IOException {
    assertThat(surface.call("PUT", "/artifacts", Map.of(), "x".repeat(1_001)).status())
        .isEqualTo(413);
    try (var wire = surface.unix()) {
      wire.request("PUT", "/artifacts", Map.of("Transfer-Encoding", "chunked"), null);
      wire.send("3e9\r\n" + "x".repeat(1_001) + "\r\n0\r\n\r\n");
      assertThat(wire.answer("PUT").status()).isEqualTo(413);
    }
  }

  @Test
  void an_upload_that_is_refused_in_its_middle_gets_its_answer_before_the_end() throws IOException {
    var size = 8 * 1024 * 1024;
    try (var wire = surface.unix()) {
      wire.request("PUT", "/artifacts", Map.of("Transfer-Encoding", "chunked"), null);
      wire.send("%x\r\n".formatted(size) + "x".repeat(1 << 20));
      assertThat(wire.answer("PUT").status()).isEqualTo(413);

      assertThatCode(() -> wire.send("x".repeat(size - (1 << 20)) + "\r\n0\r\n\r\n"))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void a_keyed_upload_of_other_content_is_a_conflict() throws IOException {
    assertThat(surface.keyed("PUT", "/artifacts", "u1", "one").status()).isEqualTo(201);
    assertThat(surface.keyed("PUT", "/artifacts", "u1", "one").status()).isEqualTo(201);
    assertThat(code(surface.keyed("PUT", "/artifacts", "u1", "two")))
        .isEqualTo("IDEMPOTENCY_CONFLICT");
  }

  @Test
  void ranges_are_exact() throws IOException {
    var target = "/artifacts/" + upload("0123456789");

    var middle = surface.get(target, Map.of("Range", "bytes=2-4"));
    assertThat(middle.status()).isEqualTo(206);
    assertThat(middle.text()).isEqualTo("234");
    assertThat(middle.header("Content-Range")).isEqualTo("bytes 2-4/10");
    assertThat(surface.get(target, Map.of("Range", "bytes=8-")).text()).isEqualTo("89");
    assertThat(surface.get(target, Map.of("Range", "bytes=-3")).text()).isEqualTo("789");
    assertThat(surface.get(target, Map.of("Range", "bytes=5-99")).text()).isEqualTo("56789");
    assertThat(surface.get(target, Map.of("Range", "bytes=0-1,4-5")).status()).isEqualTo(200);
    assertThat(surface.get(target, Map.of("Range", "lines=1-2")).status()).isEqualTo(200);
    var beyond = surface.get(target, Map.of("Range", "bytes=10-"));
    assertThat(beyond.status()).isEqualTo(416);
    assertThat(beyond.header("Content-Range")).isEqualTo("bytes */10");
  }

  @Test
  void who_has_the_bytes_already_is_told_so() throws IOException {
    var id = upload("0123456789");
    var tag = "\"" + id + "\"";

    assertThat(surface.get("/artifacts/" + id).header("ETag")).isEqualTo(tag);
    assertThat(surface.get("/artifacts/" + id, Map.of("If-None-Match", tag)).status())
        .isEqualTo(304);
    assertThat(
            surface.get("/artifacts/" + id, Map.of("Range", "bytes=1-1", "If-Range", tag)).status())
        .isEqualTo(206);
    assertThat(
            surface
                .get("/artifacts/" + id, Map.of("Range", "bytes=1-1", "If-Range", "\"other\""))
                .status())
        .isEqualTo(200);
  }

  @Test
  void an_unknown_artifact_is_not_found_and_no_path_is_ever_followed() throws IOException {
    assertThat(code(surface.get("/artifacts/" + "0".repeat(64)))).isEqualTo("ARTIFACT_NOT_FOUND");
    assertThat(surface.get("/artifacts/..%2F..%2Fetc%2Fpasswd").status()).isIn(400, 404);
    assertThat(surface.get("/artifacts/passwd").status()).isEqualTo(404);
  }

  @Test
  void a_log_and_its_artifact_are_the_same_bytes() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "0123456789");
    var log = "/logs/" + taskId + ".stdout";
    assertThat(surface.get(log).text()).isEqualTo("0123456789");
    assertThat(surface.get(log, Map.of("Range", "bytes=3-5")).text()).isEqualTo("345");
    assertThat(surface.get("/logs/" + taskId + ".stderr").body()).isEmpty();

    surface.hosts.exit(taskId, 0, null);

    var status = json(surface.get("/tasks/" + taskId));
    var id =
        status.path("artifacts").path("logs").path("stdout").path("artifact_id").stringValue("");
    assertThat(surface.get(log).text()).isEqualTo(surface.get("/artifacts/" + id).text());
    assertThat(surface.get(log).header("ETag")).isEqualTo("\"" + id + "\"");
    assertThat(surface.get("/logs/" + taskId + ".out").status()).isEqualTo(404);
    assertThat(surface.get("/logs/stdout").status()).isEqualTo(404);
  }

  @Test
  void a_growing_log_with_a_dropped_beginning_is_gone_there() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "0123456789");
    surface.logs.drop(taskId, LogStream.STDOUT, 2, 5);
    var log = "/logs/" + taskId + ".stdout";

    var dropped = surface.get(log, Map.of("Range", "bytes=3-8"));

    assertThat(dropped.status()).isEqualTo(410);
    assertThat(json(dropped).path("next_offset").longValue()).isEqualTo(5);
    assertThat(surface.get(log, Map.of("Range", "bytes=5-")).text()).isEqualTo("56789");
  }
}
