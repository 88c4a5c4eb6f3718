package dev.errand.daemon.tool.excerpt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

final class PlainLinesTest {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void whole_lines_are_taken_as_far_as_there_is_room() {
    var taken = PlainLines.first(bytes("one\ntwo\nthree\n"), 11, true, true);

    assertThat(taken.text()).isEqualTo("one\ntwo\n");
    assertThat(taken.bytes()).isEqualTo(8);
    assertThat(PlainLines.last(bytes("one\ntwo\nthree\n"), 12, true, Long.MAX_VALUE).text())
        .isEqualTo("two\nthree\n");
  }

  @Test
  void at_most_so_many_lines_are_taken_from_the_end() {
    var taken = PlainLines.last(bytes("one\ntwo\nthree\n"), 1_000, true, 2);

    assertThat(taken.text()).isEqualTo("two\nthree\n");
    assertThat(taken.bytes()).isEqualTo(10);
  }

  @Test
  void a_line_without_its_end_is_left_while_more_may_come() {
    assertThat(PlainLines.first(bytes("one\ntw"), 100, false, true).text()).isEqualTo("one\n");
    assertThat(PlainLines.first(bytes("one\ntw"), 100, true, true).text()).isEqualTo("one\ntw");
    assertThat(PlainLines.first(bytes("tw"), 100, false, false).bytes()).isZero();
  }

  @Test
  void a_long_line_is_parted_between_characters() {
    var taken = PlainLines.first(bytes("€".repeat(100)), 32, true, true);

    assertThat(taken.text()).matches("€+");
    assertThat(taken.bytes()).isEqualTo(3 * taken.text().length()).isBetween(3, 96);
    assertThat(PlainLines.last(bytes("€".repeat(100)), 32, true, Long.MAX_VALUE).text())
        .matches("€+");
  }

  @Test
  void of_a_progress_bar_the_last_state_counts() {
    var taken = PlainLines.first(bytes("10%\r50%\r99%\ndone\n"), 100, true, true);

    assertThat(taken.text()).isEqualTo("99%\ndone\n");
  }

  @RepeatedTest(200)
  void parts_that_follow_each_other_make_the_whole(RepetitionInfo info) {
    var random = new Random(info.getCurrentRepetition());
    var text = new StringBuilder();
    for (var i = random.nextInt(200); i > 0; i--) {
      text.append("aä€😀\"\\".repeat(random.nextInt(8)))
          .append(random.nextInt(4) == 0 ? "\n" : " ");
    }
    var raw = bytes(text.toString());
    var room = 8 + random.nextInt(100);

    var read = new StringBuilder();
    for (var at = 0; at < raw.length; ) {
      var taken = PlainLines.first(Arrays.copyOfRange(raw, at, raw.length), room, true, true);
      assertThat(taken.bytes()).isPositive();
      assertThat(JsonCost.of(taken.text())).isLessThanOrEqualTo(room);
      read.append(taken.text());
      at += taken.bytes();
    }
    assertThat(read).hasToString(text.toString());
    var tail = PlainLines.last(raw, room, true, Long.MAX_VALUE);
    assertThat(text.toString()).endsWith(tail.text());
    assertThat(JsonCost.of(tail.text())).isLessThanOrEqualTo(room);
  }

  @Test
  void the_cost_is_what_json_takes() {
    for (var text : new String[] {"", "a\"b\\c", "\n\t\r\b\f", "\u0000\u001b", "ä€😀"}) {
      var json = Json.text(JsonNodeFactory.instance.stringNode(text));
      assertThat(JsonCost.of(text)).as(json).isEqualTo(json.length() - 2);
    }
  }
}
