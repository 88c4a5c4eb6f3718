package dev.errand.wire.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyNamesTest {

  /** What xterm sends, with {@code ^} for the escape character. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "Up, ^[A",
        "Down, ^[B",
        "Right, ^[C",
        "Left, ^[D",
        "Home, ^[H",
        "End, ^[F",
        "Insert, ^[2~",
        "Delete, ^[3~",
        "PageUp, ^[5~",
        "PageDown, ^[6~",
        "F1, ^OP",
        "F4, ^OS",
        "F5, ^[15~",
        "F6, ^[17~",
        "F10, ^[21~",
        "F11, ^[23~",
        "F12, ^[24~",
        "S-Tab, ^[Z",
        "C-Up, ^[1;5A",
        "S-Up, ^[1;2A",
        "M-Left, ^[1;3D",
        "C-M-S-F1, ^[1;8P",
        "S-C-Right, ^[1;6C",
        "C-Delete, ^[3;5~",
        "M-x, ^x",
        "M-X, ^X",
        "M-Escape, ^^",
        "a, a",
        "ä, ä",
        "-, -",
        "😀, 😀",
        "C, C",
      })
  void a_key_sends_what_xterm_sends(String name, String sent) {
    assertThat(KeyNames.bytes(name))
        .hasValueSatisfying(
            it -> assertThat(new String(it, UTF_8).replace('\u001b', '^')).isEqualTo(sent));
  }

  @ParameterizedTest
  @CsvSource({
    "Enter, 13",
    "Tab, 9",
    "Escape, 27",
    "Space, 32",
    "Backspace, 127",
    "C-a, 1",
    "C-c, 3",
    "C-C, 3",
    "C-z, 26",
    "C-@, 0",
    "C-Space, 0",
    "C-[, 27",
    "C-\\, 28",
    "C-], 29",
    "C-^, 30",
    "C-_, 31",
    "C-?, 127",
  })
  void a_control_key_is_one_byte(String name, byte sent) {
    assertThat(KeyNames.bytes(name)).hasValueSatisfying(it -> assertThat(it).containsExactly(sent));
  }

  @Test
  void alt_with_control_is_an_escape_in_front() {
    assertThat(KeyNames.bytes("C-M-c"))
        .hasValueSatisfying(it -> assertThat(it).containsExactly(27, 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "enter", "F0", "F13", "C-", "C-1", "C-ä", "C-C-a", "X-a", "S-a", "ab"})
  void what_no_keyboard_has_is_no_key(String name) {
    assertThat(KeyNames.bytes(name)).isEmpty();
  }

  @Test
  void every_name_is_a_key() {
    assertThat(KeyNames.names())
        .hasSize(27)
        .allSatisfy(it -> {
          assertThat(KeyNames.bytes(it)).isPresent();
          assertThat(KeyNames.bytes("M-" + it)).isPresent();
        });
  }
}
