package dev.errand.daemon.condition;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.testkit.SettableClock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Screens are looked at when there is something new on them, and not more often than that. */
final class ScreenChecksTest {
  private static final TaskId TASK = new TaskId("0198c000-0000-7000-8000-000000000001");

  private ScreenSource.View shown = view(3, "");
  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private int rendered;

  private final ScreenSource terminals =
      (_, _) -> {
        rendered++;
        return shown;
      };

  @Test
  void a_pattern_is_found_over_the_lines_of_the_screen() throws Exception {
    shown = view(3, "~", "-- INSERT --", "line");
    var check =
        new ScreenCheck(
            Pattern.compile("INSERT --\\nline"), terminals, DirectShare.INSTANCE, clock);

    assertThat(check.check(moment(3, clock.ticks(), false)))
        .isEqualTo(new CheckResult.Holds(new ConditionMet.Screen(3, 77, 1, "-- INSERT -- line")));
  }

  @Test
  void the_same_screen_is_rendered_once_and_a_new_one_not_at_once() throws Exception {
    var check = new ScreenCheck(Pattern.compile("done"), terminals, DirectShare.INSTANCE, clock);
    var now = clock.ticks();

    assertThat(check.check(moment(3, now, false))).isEqualTo(CheckResult.UNTIL_FRAME);
    assertThat(check.check(moment(3, now, false))).isEqualTo(CheckResult.UNTIL_FRAME);
    shown = view(4, "done");
    var soon = check.check(moment(4, now, false));
    assertThat(rendered).isEqualTo(1);
    assertThat(soon).isInstanceOf(CheckResult.NotYet.class).isNotEqualTo(CheckResult.UNFINISHED);

    var later = moment(4, clock.ticks() + 5_000_000_000L, false);
    assertThat(check.check(later)).isInstanceOf(CheckResult.Holds.class);
  }

  @Test
  void the_last_screen_counts_and_one_that_is_not_rendered_to_its_end_is_gone_on_with()
      throws Exception {
    var check = new ScreenCheck(Pattern.compile("bye"), terminals, DirectShare.INSTANCE, clock);
    var now = clock.ticks();

    assertThat(check.check(moment(9, now, true))).isEqualTo(CheckResult.UNFINISHED);
    shown = view(9, "good bye");
    assertThat(check.check(moment(9, now, true))).isInstanceOf(CheckResult.Holds.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Password: ",
        "$ ",
        "root@box:/# ",
        ">>> ",
        "(gdb) ",
        "Continue? [Y/n] ",
        "sure?",
        "❯ "
      })
  void a_question_before_the_cursor_looks_like_a_prompt(String line) throws Exception {
    assertThat(PromptCheck.isPrompt(view(line, ""))).isTrue();
    assertThat(PromptCheck.isPrompt(view(line, "   "))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "   ", "Compiling 3 files", "Progress: 12 of 30", "Done:      ", "..."})
  void other_text_does_not(String line) throws Exception {
    assertThat(PromptCheck.isPrompt(view(line, ""))).isFalse();
  }

  @Test
  void nor_does_a_cursor_inside_a_text() throws Exception {
    assertThat(PromptCheck.isPrompt(view("key:", " value"))).isFalse();
  }

  @Test
  void a_menu_without_a_cursor_and_an_input_with_one_are_drawn_for_someone() {
    var menu =
        List.of("create v9", "", "", "Select a framework:", "> Vanilla", "", "↑↓ navigate", "");
    var hidden = new ScreenSource.View(1, 0, menu, cursor("", "", false), false);
    var input = view("? Project name: › ", "vite-project   ");

    assertThat(PromptCheck.isDrawn(hidden)).isTrue();
    assertThat(PromptCheck.drawn(hidden)).isEqualTo("Select a framework:\n> Vanilla\n↑↓ navigate");
    assertThat(PromptCheck.isDrawn(input)).isTrue();
    assertThat(PromptCheck.drawn(input)).isEqualTo("? Project name: › vite-project");
  }

  @Test
  void an_empty_line_with_the_cursor_and_a_program_that_fills_the_screen_are_not() {
    var full = new ScreenSource.View(1, 0, List.of("~", "~"), cursor("", "", false), true);

    assertThat(PromptCheck.isDrawn(view("", "  "))).isFalse();
    assertThat(PromptCheck.isDrawn(full)).isFalse();
  }

  private static ScreenSource.View view(long seq, String... lines) {
    return new ScreenSource.View(seq, 77, List.of(lines), cursor("", "", true), false);
  }

  private static ScreenSource.View view(String before, String behind) {
    return new ScreenSource.View(
        1, 0, List.of(before + behind), cursor(before, behind, true), false);
  }

  private static ScreenSource.Cursor cursor(String before, String behind, boolean visible) {
    return new ScreenSource.Cursor(0, before, behind, visible);
  }

  private static Observation moment(long seq, long nanos, boolean ended) {
    return new Observation(TASK, seq, ended, Map.of(LogStream.PTY, 5L), null, 0, 0, nanos);
  }
}
