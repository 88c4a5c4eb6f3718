package dev.errand.wire.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProblemTest {

  @Test
  void a_failure_is_written_as_problem_details() {
    var failure =
        new ErrandException(
            ErrorCode.OUTPUT_DROPPED, "read on at 512", Map.of("next_offset", 512L));

    assertThat(text(Problem.of(failure, 410).encode()))
        .isEqualTo(
            "{\"type\":\"urn:errand:problem:output_dropped\",\"title\":\"Output dropped\","
                + "\"status\":410,\"detail\":\"read on at 512\",\"code\":\"OUTPUT_DROPPED\","
                + "\"retryable\":false,\"next_offset\":512}");
  }

  @Test
  void every_code_comes_back_as_itself_with_its_facts() {
    for (var code : ErrorCode.values()) {
      var problem = Problem.of(code, 400, "so it is", Map.of("bytes_written", 7L));

      var back = Problem.decode(400, problem.encode());

      assertThat(back).isEqualTo(problem);
      assertThat(back.exception().code()).isEqualTo(code);
      assertThat(back.exception().facts()).isEqualTo(Map.of("bytes_written", 7L));
      assertThat(back.exception()).hasMessage("so it is");
    }
  }

  @Test
  void a_code_of_a_newer_daemon_is_an_internal_error_that_names_it() {
    var failure =
        Problem.decode(418, bytes("{\"code\":\"TEAPOT\",\"detail\":\"short and stout\"}"))
            .exception();

    assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    assertThat(failure).hasMessage("TEAPOT: short and stout");
  }

  @Test
  void an_answer_that_is_no_problem_shows_its_text() {
    assertThat(Problem.decode(502, bytes("<h1>Bad gateway</h1>")).exception())
        .hasMessage("HTTP status 502: <h1>Bad gateway</h1>");
    assertThat(Problem.decode(404, bytes("")).exception()).hasMessage("HTTP status 404");
    assertThat(Problem.decode(404, bytes("[]")).exception()).hasMessage("HTTP status 404: []");
  }

  @Test
  void the_daemon_file_reads_back_and_needs_no_tcp() {
    var file =
        new DaemonFile(
            42, null, null, "/run/e.sock", Instant.ofEpochSecond(1_700_000_000), "/home");

    assertThat(DaemonFile.decode(file.encode())).isEqualTo(file);
    assertThat(text(file.encode()))
        .isEqualTo(
            "{\"pid\":42,\"http\":null,\"rpc\":null,\"socket\":\"/run/e.sock\","
                + "\"started_at\":\"2023-11-14T22:13:20Z\",\"home\":\"/home\"}\n");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
