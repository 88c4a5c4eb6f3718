package dev.errand.daemon.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent.Match;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.LogStore;
import dev.errand.wire.time.SystemTime;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Patterns in logs: the same hits, however the output comes and however often one begins again. */
@Timeout(120)
final class OutputScanTest {
  private static final TaskId TASK = new TaskId("00000000-0000-7000-8000-000000000001");
  private static final LogStream OUT = LogStream.STDOUT;
  private static final List<String> PATTERNS =
      List.of("ERROR", "^ready", "done$", "é+r", "(?i)warn", "^$", "\\d\\d:\\d\\d", "x{3,}y?");
  private static final List<String> WORDS =
      List.of("ERROR ", "ready", "done", "éér", "Warn", "12:34", "xxxxy", "\r", "plain ", "日本", "");

  private record Hit(int pattern, Match match, String snippet) {}

  /** A log of which a part is stored, and the patterns that are searched in it. */
  private static final class Fixture implements LogStore, OutputScan.Sink {
    private final LogStream stream;
    private final List<String> patterns;
    private final List<Hit> hits = new ArrayList<>();
    private byte[] bytes;
    private OutputScan scan;

    /** What the cap took, from one offset to another. */
    private int gapFrom = Integer.MAX_VALUE;

    private int gapTo = Integer.MAX_VALUE;

    Fixture(LogStream stream, List<String> patterns, byte[] bytes) {
      this.stream = stream;
      this.patterns = patterns;
      this.bytes = bytes;
      this.scan = opened();
    }

    private OutputScan opened() {
      var wanted = new ArrayList<OutputScan.Wanted>();
      for (var i = 0; i < patterns.size(); i++) {
        var starts = new EnumMap<LogStream, OutputScan.Start>(LogStream.class);
        for (var hit : hits) {
          if (hit.pattern() == i) {
            starts.put(hit.match().stream(), OutputScan.Start.after(hit.match().end()));
          }
        }
        wanted.add(new OutputScan.Wanted(patterns.get(i), null, starts));
      }
      return new OutputScan(TASK, this, List.of(stream), wanted, this, new SystemTime());
    }

    void restart() {
      scan = opened();
    }

    void grow(int total) {
      assertThat(scan.scan(Map.of(stream, (long) total), Long.MAX_VALUE)).isTrue();
    }

    List<Hit> whole() {
      grow(bytes.length);
      scan.scanRest();
      return hits;
    }

    List<String> snippets() {
      return hits.stream().map(Hit::snippet).toList();
    }

    @Override
    public boolean isOpen(int pattern) {
      return true;
    }

    @Override
    public void hit(int pattern, Match match, String snippet) {
      hits.add(new Hit(pattern, match, snippet));
    }

    @Override
    public byte[] read(TaskId taskId, LogStream log, long offset, int max) {
      var from = (int) offset;
      if (from >= gapFrom && from < gapTo) {
        throw new ErrandException(
            ErrorCode.OUTPUT_DROPPED, "gone", Map.of("next_offset", (long) gapTo));
      }
      var end = Math.min(bytes.length, from + max);
      return Arrays.copyOfRange(bytes, from, from < gapFrom ? Math.min(end, gapFrom) : end);
    }

    @Override
    public long total(TaskId taskId, LogStream log) {
      return bytes.length;
    }

    @Override
    public List<TaskId> olderThan(long beforeMs) {
      return List.of();
    }

    @Override
    public void delete(TaskId taskId) {}
  }

  @Test
  void each_line_is_matched_as_if_it_stood_alone() {
    var random = new Random(11);
    for (var i = 0; i < 200; i++) {
      var bytes = output(random, 30);

      assertThat(matches(new Fixture(OUT, PATTERNS, bytes).whole())).isEqualTo(expected(bytes));
    }
  }

  @Test
  void random_cuts_and_restarts_lead_to_the_same_hits_as_one_scan() {
    var random = new Random(5);
    for (var i = 0; i < 300; i++) {
      var stream = random.nextBoolean() ? OUT : LogStream.PTY;
      var bytes = output(random, 40);
      var whole = new Fixture(stream, PATTERNS, bytes).whole();
      var parts = new Fixture(stream, PATTERNS, bytes);

      for (var at = 0; at < bytes.length; at += random.nextInt(20)) {
        parts.grow(at);
        if (random.nextInt(3) == 0) {
          parts.restart();
        }
      }

      assertThat(sorted(parts.whole())).isEqualTo(sorted(whole));
    }
  }

  @Test
  void what_lies_before_and_behind_a_gap_is_matched_as_two_logs_would_be() {
    var random = new Random(23);
    for (var i = 0; i < 500; i++) {
      var before = output(random, random.nextInt(20));
      var behind = output(random, random.nextInt(20));
      var gap = 1 + random.nextInt(50);
      var log = new Fixture(OUT, PATTERNS, joined(before, new byte[gap], behind));
      log.gapFrom = before.length;
      log.gapTo = before.length + gap;

      for (var at = 0; at < log.bytes.length && random.nextInt(4) > 0; at += random.nextInt(60)) {
        log.grow(at);
        if (random.nextInt(3) == 0) {
          log.restart();
        }
      }

      var due = expected(before);
      expected(behind)
          .forEach((pattern, matches) -> {
            var all = due.computeIfAbsent(pattern, _ -> new ArrayList<>());
            matches.forEach(it -> all.add(moved(it, log.gapTo)));
          });
      assertThat(matches(log.whole())).as("round %d", i).isEqualTo(due);
    }
  }

  @Test
  void a_sequence_of_a_terminal_that_a_gap_cut_hides_nothing_behind_it() {
    var before = "ok\r\n\u001b]0;a title".getBytes(UTF_8);
    var log =
        new Fixture(
            LogStream.PTY, List.of("^ok$"), joined(before, new byte[9], "ok\r\n".getBytes(UTF_8)));
    log.gapFrom = before.length;
    log.gapTo = before.length + 9;

    log.whole();

    assertThat(log.snippets()).containsExactly("ok", "ok");
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static Match moved(Match match, int by) {
    return new Match(match.stream(), match.offset() + by, match.end() + by);
  }

  @Test
  void a_prompt_is_seen_when_it_is_quiet_and_not_again_when_its_line_goes_on() {
    var log =
        new Fixture(OUT, List.of("word:"), "Password: secret\nnext\nword: \n".getBytes(UTF_8));

    log.grow(10);
    log.scan.scanRest();
    assertThat(log.snippets()).containsExactly("Password: ");
    log.restart();
    log.whole();

    assertThat(log.snippets()).containsExactly("Password: ", "word: ");
  }

  @Test
  void a_line_of_a_terminal_is_what_a_reader_sees_of_it() {
    var text =
        String.join(
            "\r\n",
            "\u001b[32mbuild \u001b[1mok\u001b[0m",
            "\u001b]0;build ok\u0007title",
            "10%\r20%\r100%",
            "bu\u001b[Kild\u0007 ok");
    var log = new Fixture(LogStream.PTY, List.of("^build ok$", "^\\d+%$"), text.getBytes(UTF_8));

    log.whole();

    assertThat(log.snippets()).containsExactly("build ok", "10%", "20%", "100%", "build ok");
    var first = log.hits.getFirst().match();
    assertThat(text.substring((int) first.offset(), (int) first.end()))
        .isEqualTo("build \u001b[1mok");
  }

  @Test
  void a_very_long_line_is_matched_in_pieces_that_overlap() {
    for (var place : List.of(0, 100, 32_760, 65_530, 65_536, 98_300, 200_000, 299_990)) {
      var bytes = new byte[300_000];
      Arrays.fill(bytes, (byte) '.');
      System.arraycopy("needle".getBytes(UTF_8), 0, bytes, place, 6);
      var log = new Fixture(OUT, List.of("need[l]e", "^needle", "needle$"), bytes);

      var hits = log.whole();

      assertThat(hits.getFirst().match()).isEqualTo(new Match(OUT, place, place + 6));
      assertThat(hits.stream().anyMatch(it -> it.pattern() == 1)).isEqualTo(place == 0);
      assertThat(hits.stream().anyMatch(it -> it.pattern() == 2)).isEqualTo(false);
      assertThat(hits.stream().filter(it -> it.pattern() == 0)).hasSize(1);
    }
  }

  @Test
  void a_pattern_that_hits_in_a_long_line_hits_once_however_the_line_comes() {
    var bytes = ("needle ".repeat(60_000) + "\nneedle\n").getBytes(UTF_8);
    var log = new Fixture(OUT, List.of("needle"), bytes);

    log.grow(100_000);
    log.restart();
    log.grow(250_000);
    log.restart();

    assertThat(log.whole().stream().map(it -> it.match().offset())).containsExactly(0L, 420_001L);
  }

  /** Sixteen patterns over ten megabytes, some of them made to be slow. */
  @Test
  @Timeout(60)
  void sixteen_patterns_on_much_output_take_time_in_proportion_to_it() {
    var patterns =
        new ArrayList<>(List.of("(a+)+$", "(x+x+)+y", "(?i)fatal|panic", "^\\s*at .*Error"));
    for (var i = patterns.size(); i < 16; i++) {
      patterns.add("listening on port 9" + i + "|[a-f]{8}-needle-" + i);
    }
    var line =
        "2026-01-01T00:00:00Z INFO worker-7 aaaaaaaaaaaaaaaaaaaaaaab handled request in 12 ms\n";
    var text = line.repeat(10_000_000 / line.length()) + "listening on port 95\n";
    var log = new Fixture(OUT, patterns, text.getBytes(UTF_8));

    log.whole();

    assertThat(log.hits.stream().map(Hit::pattern)).containsExactly(5);
  }

  /** Lines by hand: each pattern's first match in each. */
  private static Map<Integer, List<Match>> expected(byte[] bytes) {
    var matches = new HashMap<Integer, List<Match>>();
    var from = 0;
    while (from < bytes.length) {
      var end = from;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      var stop = end > from && bytes[end - 1] == '\r' ? end - 1 : end;
      var line = new String(bytes, from, stop - from, UTF_8);
      var isPart = end == bytes.length && stop == from;
      for (var p = 0; p < PATTERNS.size() && !isPart; p++) {
        var matcher = Pattern.compile(PATTERNS.get(p)).matcher(line);
        if (matcher.find()) {
          var base = from;
          matches
              .computeIfAbsent(p, _ -> new ArrayList<>())
              .add(
                  new Match(
                      OUT,
                      base + bytesOf(bytes, from, stop, matcher.start()),
                      base + bytesOf(bytes, from, stop, matcher.end())));
        }
      }
      from = end + 1;
    }
    return matches;
  }

  /** The first bytes that decode to so many characters. */
  private static int bytesOf(byte[] bytes, int from, int to, int chars) {
    for (var count = 0; count <= to - from; count++) {
      var rest = new String(bytes, from + count, to - from - count, UTF_8);
      var all = new String(bytes, from, to - from, UTF_8);
      if (rest.length() == all.length() - chars
          && all.endsWith(rest)
          && new String(bytes, from, count, UTF_8).length() == chars) {
        return count;
      }
    }
    throw new AssertionError("no such place");
  }

  private static Map<Integer, List<Match>> matches(List<Hit> hits) {
    var matches = new HashMap<Integer, List<Match>>();
    hits.forEach(
        it -> matches.computeIfAbsent(it.pattern(), _ -> new ArrayList<>()).add(it.match()));
    return matches;
  }

  private static List<String> sorted(List<Hit> hits) {
    return hits.stream().map(Hit::toString).sorted().toList();
  }

  private static byte[] output(Random random, int words) {
    var out = new ByteArrayOutputStream();
    for (var i = 0; i < words; i++) {
      var word = WORDS.get(random.nextInt(WORDS.size()));
      @Nullable String end = random.nextInt(3) == 0 ? (random.nextBoolean() ? "\n" : "\r\n") : null;
      out.writeBytes(word.getBytes(random.nextInt(9) == 0 ? ISO_8859_1 : UTF_8));
      if (end != null) {
        out.writeBytes(end.getBytes(UTF_8));
      }
    }
    return out.toByteArray();
  }
}
