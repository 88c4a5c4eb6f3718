package dev.errand.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.cli.terminal.Terminal.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalTest {

  @ParameterizedTest
  @CsvSource({
    "/dev/pts/3, TERMINAL",
    "/dev/tty1, TERMINAL",
    "/dev/console, TERMINAL",
    "/dev/null, NOTHING",
    "pipe:[4711], DATA",
    "socket:[4711], DATA",
    "/tmp/out.txt, DATA"
  })
  void the_name_behind_a_descriptor_tells_what_it_is(String name, Kind kind) {
    assertThat(Terminal.kindOfName(name)).isEqualTo(kind);
  }

  @Test
  void no_colour_without_a_terminal() {
    assertThat(Terminal.detect(Map.of("TERM", "xterm")).colour()).isFalse();
  }

  @Test
  void the_width_is_what_the_environment_says_within_bounds() throws Exception {
    assertThat(WindowWidth.ask(Terminal.NONE, Map.of("COLUMNS", "120")).columns()).isEqualTo(120);
    assertThat(WindowWidth.ask(Terminal.NONE, Map.of("COLUMNS", "3")).columns()).isEqualTo(40);
    assertThat(WindowWidth.ask(Terminal.NONE, Map.of("COLUMNS", "wide")).columns()).isEqualTo(80);
    assertThat(WindowWidth.ask(Terminal.NONE, Map.of()).columns()).isEqualTo(80);
  }
}
