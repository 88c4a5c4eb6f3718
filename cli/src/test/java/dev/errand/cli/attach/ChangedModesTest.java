package dev.errand.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ChangedModesTest {
  private final ChangedModes modes = new ChangedModes();

  private String undoAfter(String... written) {
    for (var part : written) {
      modes.watch(part.getBytes(StandardCharsets.UTF_8));
    }
    return new String(modes.undo(), StandardCharsets.UTF_8);
  }

  @Test
  void nothing_is_undone_where_nothing_was_written() {
    assertThat(undoAfter()).isEmpty();
  }

  @Test
  void a_screen_that_is_not_the_alternate_one_is_not_left() {
    assertThat(undoAfter("plain text\r\n")).doesNotContain("1049").contains("\033[!p");
  }

  @Test
  void modes_that_were_set_are_undone_also_when_cut_in_the_middle() {
    assertThat(undoAfter("\033[?10", "49h\033[?1000;1006h\033", "[?2004h\033[?25l"))
        .contains("\033[?1000l", "\033[?1006l", "\033[?2004l", "\033[?25h")
        .endsWith("\033[?1049l");
  }

  @Test
  void modes_that_the_task_has_undone_itself_are_left_alone() {
    assertThat(undoAfter("\033[?1049h\033[?2004h", "\033[?2004l\033[?1049l"))
        .doesNotContain("1049", "2004");
  }

  @Test
  void what_only_looks_like_a_mode_changes_nothing() {
    assertThat(undoAfter("\033[1049h\033[?99999999999h\033[?;;h\033[?1049x[?1049h"))
        .doesNotContain("1049", "99999");
  }
}
