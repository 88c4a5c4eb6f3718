package dev.errand.wire.client;

import static dev.errand.wire.client.SseSamples.TASK;
import static dev.errand.wire.client.SseSamples.output;
import static dev.errand.wire.client.SseSamples.terminal;
import static dev.errand.wire.client.SseSamples.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.SseText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FollowTest {
  @TempDir Path folder;

  @Test
  void following_gives_the_exact_bytes_from_frames_where_it_can_and_from_the_log_else()
      throws Exception {
    var log = new byte[] {'h', 'i', '\n', (byte) 0xFF, 'x', 'y', 'z', '1', '2', '3', '4'};
    var frames =
        output(0, 0, 3, "hi\\n", false)
            + output(1, 3, 2, "\uFFFDx", false)
            + output(2, 5, 4, "y", true)
            + output(3, 9, 2, "", true)
            + terminal(4);
    try (var server =
            unix((request, out) -> {
              if (request.target().contains("/output")) {
                var offset =
                    Integer.parseInt(request.target().replaceAll(".*offset_bytes=(\\d+).*", "$1"));
                out.answer(
                    200,
                    "Errand-Offset: " + offset + "\r\n",
                    Arrays.copyOfRange(log, offset, log.length));
              } else {
                out.stream();
                out.chunk(frames);
                out.lastChunk();
              }
            });
        var client = ErrandClient.connect(home())) {
      var copy = new ByteArrayOutputStream();
      var offsets = new ArrayList<Long>();

      var last =
          client.follow(
              TASK,
              -1,
              (stream, offset, bytes) -> {
                assertThat(stream).isEqualTo(LogStream.STDOUT);
                offsets.add(offset);
                copy.writeBytes(bytes);
              });

      assertThat(last.isTerminal()).isTrue();
      assertThat(copy.toByteArray()).isEqualTo(log);
      assertThat(offsets).containsExactly(0L, 3L, 5L, 9L);
      assertThat(server.requests()).as("one read ahead serves three frames").hasSize(2);
    }
  }

  @Test
  void playing_gives_what_is_there_and_ends() throws Exception {
    try (var _ =
            unix((_, out) -> {
              out.stream();
              out.chunk(output(0, 0, 3, "hi\\n", false) + text(SseText.caughtUp(0)));
              out.lastChunk();
            });
        var client = ErrandClient.connect(home())) {
      var copy = new ByteArrayOutputStream();

      client.play(TASK, -1, (_, _, bytes) -> copy.writeBytes(bytes));

      assertThat(copy.toString(StandardCharsets.UTF_8)).isEqualTo("hi\n");
    }
  }

  @Test
  void following_tells_of_bytes_that_are_gone() throws Exception {
    var frames = output(0, 0, 100, "", true) + output(1, 100, 50, "", true) + terminal(2);
    try (var _ =
            unix((request, out) -> {
              if (request.target().contains("offset_bytes=0&")) {
                out.problem(410, "{'code':'OUTPUT_DROPPED','detail':'x','next_offset':120}");
              } else if (request.target().contains("offset_bytes=100&")) {
                out.problem(410, "{'code':'OUTPUT_DROPPED','detail':'x','next_offset':120}");
              } else if (request.target().contains("/output")) {
                out.answer(200, "Errand-Offset: 120\r\n", new byte[30]);
              } else {
                out.stream();
                out.chunk(frames);
                out.lastChunk();
              }
            });
        var client = ErrandClient.connect(home())) {
      var told = new ArrayList<String>();
      client.follow(
          TASK,
          -1,
          new OutputSink() {
            @Override
            public void output(LogStream stream, long offset, byte[] bytes) {
              told.add("bytes " + offset + "+" + bytes.length);
            }

            @Override
            public void gap(LogStream stream, long from, long to) {
              told.add("gap " + from + "-" + to);
            }
          });

      assertThat(told).isEqualTo(List.of("gap 0-100", "gap 100-120", "bytes 120+30"));
    }
  }

  private ErrandHome home() {
    return new ErrandHome(folder);
  }

  private ScriptedServer unix(ScriptedServer.Script script) throws IOException {
    return ScriptedServer.unix(home(), "s", script);
  }
}
