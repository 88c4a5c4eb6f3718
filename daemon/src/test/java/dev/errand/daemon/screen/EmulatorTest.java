package dev.errand.daemon.screen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmulatorTest {
  private static final String ESC = "\u001b";

  private final Emulator emulator = new Emulator(4, 20);

  private Screen show(String text) {
    var bytes = text.replace("\\e", ESC).getBytes(UTF_8);
    emulator.feed(bytes, 0, bytes.length);
    return emulator.screen(0, 0);
  }

  @Test
  void text_stands_where_the_cursor_was() {
    var screen = show("one\r\n  two\\e[4;3Hthree");

    assertThat(screen.grid().lines()).containsExactly("one", "  two", "", "  three");
    assertThat(screen.cursor()).isEqualTo(new Screen.Cursor(3, 7, true));
  }

  @Test
  void a_tab_goes_to_the_next_multiple_of_eight() {
    assertThat(show("a\tb\tc").grid().line(0)).isEqualTo("a       b       c");
  }

  @Test
  void tab_stops_can_be_set_and_cleared() {
    assertThat(show("\\e[3g\\e[1;5H\\eH\r\tx\r\ny\\e[5G\\e[g\r\tz").grid().lines())
        .startsWith("    x", "y                  z");
  }

  @Test
  void back_tabs_go_back() {
    assertThat(show("0123456789\\e[Zx\\e[2Zy").grid().line(0)).isEqualTo("y1234567x9");
  }

  @Test
  void wide_characters_take_two_cells_and_are_not_cut_by_the_edge() {
    var screen = show("0123456789012345678漢字");

    assertThat(screen.grid().lines()).startsWith("0123456789012345678", "漢字");
    assertThat(screen.cursor().col()).isEqualTo(4);
  }

  @Test
  void half_of_a_wide_character_is_a_blank() {
    assertThat(show("漢字\\e[1;2Hx").grid().line(0)).isEqualTo(" x字");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "01234567890123456789\\e[AX|0123456789012345678X",
        "\\e701234567890123456789\\e8X|X1234567890123456789",
        "\\e[99CX|'                   X'",
        "01234567890123456789\\e[KX|0123456789012345678X",
      })
  void no_wrap_is_due_after_the_cursor_was_moved(String text, String line) {
    assertThat(show(text).grid().line(0)).isEqualTo(line);
  }

  @Test
  void a_line_that_is_full_wraps_with_the_next_character() {
    assertThat(show("0123456789012345678").cursor().col()).isEqualTo(19);
    assertThat(show("9").cursor()).isEqualTo(new Screen.Cursor(0, 19, true));
    assertThat(show("X").grid().lines()).startsWith("01234567890123456789", "X");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u007f\u007f\u007fX",
        "\\e[>4;2mX",
        "\\e[?4mX",
        "\\e[>1uX",
        "\\e[?uX",
        "\\e[cX",
        "\\e[6nX",
        "\\e[2;10sX",
        "\\e]8;;http://example.org\\e\\X\\e]8;;\\e\\",
        "\\ePq#0;2;0;0;0\n\rsome picture\\e\\X",
        "\\e_Gsomething\\e\\X",
        "\\e[0;0rX",
        "\\e%GX",
        "\\e[22;0tX",
        "\\e[?2026hX\\e[?2026l",
        "\\e[1;38;2;255;255;255;48;2;255;255;255;3;4mX",
        "\u200bX",
        "\u202eX",
        "\u0085X",
        "\\e[4:3mX",
        "\\e[2147483648DX"
      })
  void what_is_not_seen_leaves_no_trace(String text) {
    assertThat(show(text).grid().lines()).containsExactly("X", "", "", "");
    assertThat(emulator.screen(0, 0).cursor()).isEqualTo(new Screen.Cursor(0, 1, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\e[2147483647C\\e[K",
        "\\e[99999999999B\n\n",
        "\\e[999;999H\\e[999P\\e[999@",
        "\\e[999S\\e[999T",
        "\\e[999L\\e[999M\\e[999X",
        "\\e[5;2r\\e[?6h\\e[9;9H\n\n\n",
        "\\e[99999b",
        "\\e[999I\\e[999Z",
        "\\e[1;1:2:3:4m",
        "\\e[38m",
        "\\e[38;2m",
        "\\e[38:2m",
        "\\e[48;5m",
        "\\e[;;;;m",
        "\\e[-1A",
      })
  void odd_numbers_do_no_harm(String text) {
    show(text);

    assertThat(show("\\ecok").grid().lines()).containsExactly("ok", "", "", "");
  }

  @Test
  void the_default_background_keeps_the_text_colour() {
    assertThat(look("\\e[31;44mx\\e[49my", 1)).isEqualTo(look("\\ec\\e[31my", 0));
  }

  @Test
  void colours_may_be_written_with_colons() {
    assertThat(look("\\e[38:2::255:0:0;48:5:4mx", 0))
        .isEqualTo(look("\\ec\\e[38;2;255;0;0m\\e[48;5;4mx", 0));
  }

  private long look(String text, int col) {
    return show(text).grid().look(0, col);
  }

  @Test
  void what_is_erased_has_the_background_only() {
    assertThat(look("\\e[7;1;44m\\e[K", 5)).isEqualTo(look("\\ec\\e[44m ", 0));
  }

  @Test
  void a_character_can_be_repeated() {
    assertThat(show("-\\e[5bx漢\\e[b").grid().line(0)).isEqualTo("------x漢漢");
  }

  @Test
  void lines_are_drawn_in_their_own_character_set() {
    assertThat(show("\\e(0lqk\\e(Bq").grid().line(0)).isEqualTo("┌─┐q");
  }

  @ParameterizedTest
  @ValueSource(ints = {47, 1047, 1049})
  void the_alternate_screen_hides_the_main_one_and_gives_it_back(int mode) {
    var inside = show("main\\e[?" + mode + "h\\e[H\\e[2Jother");
    assertThat(inside.alternate()).isTrue();
    assertThat(inside.grid().lines()).startsWith("other", "");

    var after = show("\\e[?" + mode + "l");
    assertThat(after.alternate()).isFalse();
    assertThat(after.grid().line(0)).isEqualTo("main");
  }

  @Test
  void titles_are_told_without_their_controls() {
    assertThat(show("\\e]0;one\\e\\").title()).isEqualTo("one");
    assertThat(show("\\e]2;zw\u0001ei ü\u0007").title()).isEqualTo("zwei ü");
    assertThat(show("\\e]2;" + "x".repeat(5_000) + "\u0007").title()).isEqualTo("zwei ü");
    assertThat(show("ok").grid().line(0)).isEqualTo("ok");
  }

  @Test
  void a_hidden_cursor_is_told() {
    assertThat(show("\\e[?25l").cursor().visible()).isFalse();
  }

  @Test
  void after_missing_bytes_a_screen_is_approximate_until_it_is_cleared() {
    show("some");
    emulator.missed();

    assertThat(show("more").approximate()).isTrue();
    assertThat(show("\\e[3;3H\\e[J").approximate()).isTrue();
    assertThat(show("\\e[H\\e[J").approximate()).isFalse();
  }

  @Test
  void the_alternate_screen_is_fresh_and_the_main_one_stays_approximate() {
    emulator.missed();

    assertThat(show("\\e[?1049h").approximate()).isFalse();
    assertThat(show("\\e[?1049l").approximate()).isTrue();
    assertThat(show("\\e[2J").approximate()).isFalse();
  }

  @Test
  void what_scrolled_off_is_kept_to_a_bound() {
    show("line\r\n".repeat(Emulator.HISTORY_LINES_MAX + 500));

    assertThat(emulator.history()).hasSize(Emulator.HISTORY_LINES_MAX).containsOnly("line");
  }

  @Test
  void a_terminal_of_one_cell_can_be_shown() {
    var tiny = new Emulator(1, 1);
    tiny.feed("abc".getBytes(UTF_8), 0, 3);
    tiny.resize(1, 1);

    assertThat(tiny.screen(0, 0).grid().lines()).hasSize(1);
  }

  @Test
  void another_size_keeps_what_fits() {
    show("one\r\ntwo\r\nthree");
    emulator.resize(2, 3);
    assertThat(emulator.screen(0, 0).grid().lines()).containsExactly("two", "thr");

    emulator.resize(5, 30);
    assertThat(emulator.screen(0, 0).grid().lines()).hasSize(5).startsWith("one", "two");
  }
}
