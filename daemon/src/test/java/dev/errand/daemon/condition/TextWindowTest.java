package dev.errand.daemon.condition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However a text comes, its first match is found where a search of the whole finds it. */
final class TextWindowTest {
  private static final List<String> PATTERNS =
      List.of(
          "ready",
          "^b",
          "a$",
          "\\bab\\b",
          "ü+b",
          "€\\n.",
          "[^a]{3}b",
          "(?s)a.{5,9}?€",
          "\\Aa",
          "b\\z",
          "😀",
          "\ufffdb",
          "\\x{1F600}|zz");

  private static final List<byte[]> PIECES =
      List.of(
          "a".getBytes(UTF_8),
          "b".getBytes(UTF_8),
          "\n".getBytes(UTF_8),
          "ready".getBytes(UTF_8),
          "ü".getBytes(UTF_8),
          "€".getBytes(UTF_8),
          "😀".getBytes(UTF_8),
          new byte[] {(byte) 0xE2, (byte) 0x82},
          new byte[] {(byte) 0xFF},
          new byte[] {(byte) 0x80});

  @Test
  void any_way_of_cutting_gives_the_match_of_the_whole() {
    var random = new Random(7);
    for (var round = 0; round < 4_000; round++) {
      var text = text(random);
      var pattern =
          Pattern.compile(PATTERNS.get(random.nextInt(PATTERNS.size())), Pattern.MULTILINE);

      var pieces = cut(text, random);

      assertThat(searchPieces(pattern, pieces))
          .as("%s in %s as %s", pattern, Arrays.toString(text), lengths(pieces))
          .isEqualTo(searchWhole(pattern, text));
    }
  }

  @Test
  void a_greedy_match_is_found_at_the_same_place_and_maybe_before_it_is_at_its_longest() {
    var random = new Random(8);
    var pattern = Pattern.compile("(?s)a.{5,9}€");
    for (var round = 0; round < 1_000; round++) {
      var text = text(random);

      var found = searchPieces(pattern, cut(text, random));
      var whole = searchWhole(pattern, text);

      assertThat(found == null).isEqualTo(whole == null);
      if (found != null && whole != null) {
        assertThat(found.offset()).isEqualTo(whole.offset());
        assertThat(found.end()).isLessThanOrEqualTo(whole.end());
      }
    }
  }

  @Test
  void a_match_over_many_pieces_of_a_long_log_is_found() {
    var window = new TextWindow(Pattern.compile("(?s)begin.*end"), 0);
    for (var i = 0; i < 2_000; i++) {
      window.append(("line " + i + "\n").repeat(20).getBytes(UTF_8));
      assertThat(window.search(false)).isNull();
    }
    var start = window.end();
    window.append("begin".getBytes(UTF_8));
    assertThat(window.search(false)).isNull();
    for (var i = 0; i < 300; i++) {
      window.append("one hundred bytes or nearly so\n".repeat(3).getBytes(UTF_8));
      assertThat(window.search(false)).isNull();
    }
    window.append("end\n".getBytes(UTF_8));

    var match = window.search(false);

    assertThat(place(match)).isEqualTo(new Place(start, window.end() - 1));
  }

  @Test
  void what_is_kept_does_not_grow_with_the_log() {
    var window = new TextWindow(Pattern.compile("nowhere"), 0);
    for (var i = 0; i < 100; i++) {
      window.append("ü".repeat(10_000).getBytes(UTF_8));
      assertThat(window.search(false)).isNull();
      assertThat(window.end() - window.searchedTo()).isLessThanOrEqualTo(32 * 1024);
    }
    assertThat(window.end()).isEqualTo(2_000_000);
  }

  @Test
  void a_match_at_the_end_is_told_from_one_that_is_complete() {
    var window = new TextWindow(Pattern.compile("port \\d+"), 0);
    window.append("port 30".getBytes(UTF_8));
    var early = window.search(false);
    window.append("00\n".getBytes(UTF_8));
    var late = window.search(false);

    assertThat(early).isEqualTo(new TextWindow.Match(0, 7, true, "port 30"));
    assertThat(late).isEqualTo(new TextWindow.Match(0, 9, false, "port 3000"));
  }

  @Test
  void a_search_that_begins_inside_a_log_knows_what_stands_before() {
    var window = new TextWindow(Pattern.compile("^b", Pattern.MULTILINE), 3);
    window.restart(3, "\nba".getBytes(UTF_8));
    window.append("b\nb ".getBytes(UTF_8));

    assertThat(window.search(false)).isEqualTo(new TextWindow.Match(5, 6, false, "b "));
  }

  @Test
  void a_snippet_is_short_and_has_no_control_characters() {
    var log =
        "first\n\u001b[1;32mready\u001b[0m \u001b]0;title\u0007in\t5 s\r\n"
            + "x".repeat(3_000)
            + "😀".repeat(300);
    var ready = log.indexOf("ready");

    assertThat(Snippet.around(log, ready, ready + 5)).isEqualTo("ready in 5 s");
    assertThat(Snippet.around(log, 0, log.length()))
        .startsWith("first ready in 5 s ")
        .hasSize(Snippet.CHARS_MAX);
    assertThat(Snippet.of("a" + "😀".repeat(300))).hasSize(Snippet.CHARS_MAX - 1);
  }

  private static byte[] text(Random random) {
    var pieces = random.ints(random.nextInt(25), 0, PIECES.size()).mapToObj(PIECES::get).toList();
    return join(pieces);
  }

  private static byte[] join(List<byte[]> pieces) {
    var all = new byte[pieces.stream().mapToInt(it -> it.length).sum()];
    var at = 0;
    for (var piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }

  private static List<byte[]> cut(byte[] text, Random random) {
    var pieces = new ArrayList<byte[]>();
    for (var at = 0; at < text.length; ) {
      var to = Math.min(text.length, at + 1 + random.nextInt(6));
      pieces.add(Arrays.copyOfRange(text, at, to));
      at = to;
    }
    return pieces;
  }

  private static List<Integer> lengths(List<byte[]> pieces) {
    return pieces.stream().map(it -> it.length).toList();
  }

  private record Place(long offset, long end) {}

  private static @Nullable Place searchPieces(Pattern pattern, List<byte[]> pieces) {
    var window = new TextWindow(pattern, 0);
    for (var piece : pieces) {
      window.append(piece);
      var match = window.search(false);
      if (match != null && !match.reachesEnd()) {
        return new Place(match.offset(), match.end());
      }
    }
    return place(window.search(true));
  }

  /** By characters, and told in bytes by counting those of each character. */
  private static @Nullable Place searchWhole(Pattern pattern, byte[] text) {
    var window = new TextWindow(pattern, 0);
    window.append(text);
    var found = place(window.search(true));
    var matcher = pattern.matcher(new String(text, UTF_8));
    assertThat(matcher.find()).isEqualTo(found != null);
    if (found != null) {
      var matched = Arrays.copyOfRange(text, (int) found.offset(), (int) found.end());
      assertThat(new String(matched, UTF_8)).isEqualTo(matcher.group());
    }
    return found;
  }

  private static @Nullable Place place(TextWindow.@Nullable Match match) {
    return match == null ? null : new Place(match.offset(), match.end());
  }
}
