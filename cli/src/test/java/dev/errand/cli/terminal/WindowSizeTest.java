package dev.errand.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TerminalSize;
import org.junit.jupiter.api.Test;

final class WindowSizeTest {

  @Test
  void stty_says_rows_and_columns() {
    assertThat(WindowSize.parse("50 132\n")).contains(new TerminalSize(50, 132));
    assertThat(WindowSize.parse("9999 80\n")).contains(new TerminalSize(1_000, 80));
  }

  @Test
  void a_window_without_a_size_says_nothing() {
    assertThat(WindowSize.parse("0 0\n")).isEmpty();
    assertThat(WindowSize.parse("")).isEmpty();
    assertThat(WindowSize.of(Terminal.NONE)).isEmpty();
  }
}
