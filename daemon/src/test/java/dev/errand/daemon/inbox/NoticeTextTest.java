package dev.errand.daemon.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.Tails;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Notices in sentences. */
final class NoticeTextTest {
  private static final TaskId TASK = new TaskId("00000000-0000-7000-8000-000000000001");

  @Test
  void a_completed_task_says_how_long_it_took_what_came_out_and_how_to_get_more() {
    var notice = notice("research", Notice.Kind.ENDED, null, StatusWord.EXITED, 0);

    assertThat(NoticeText.of(notice, about("Found 12 mentions.")))
        .isEqualTo(
            """
            [System Message] Background task "research" completed (2m 34s).
            Summary: Found 12 mentions.
            Use task_join(label: "research") for full results.\
            """);
  }

  @Test
  void each_end_has_its_words() {
    assertThat(brief(StatusWord.EXITED, 2, false)).contains("failed with exit code 2");
    assertThat(brief(StatusWord.CANCELLED, 143, false)).contains("was cancelled");
    assertThat(brief(StatusWord.FAILED, 143, true)).contains("timed out");
    assertThat(brief(StatusWord.FAILED, null, false)).contains("failed");
  }

  @Test
  void a_task_without_a_label_is_named_by_its_id() {
    var notice =
        notice(null, Notice.Kind.WATCHER, "error", StatusWord.RUNNING, null).standingFor(5);

    assertThat(NoticeText.of(notice, about("ERROR in line 3")))
        .isEqualTo(
            """
            [System Message] Background task %s saw the event "error", the newest of 5 notices.
            Summary: ERROR in line 3
            Use task_status(task_id: "%s") to see how it stands.\
            """
                .formatted(TASK, TASK));
  }

  @Test
  void an_event_s_name_cannot_command_a_terminal() {
    var notice = notice("a", Notice.Kind.WATCHER, "\u001b[2Jgone\n", StatusWord.RUNNING, null);

    assertThat(NoticeText.of(notice, about(""))).contains("the event \"gone\"");
  }

  @Test
  void a_whole_result_stands_in_the_text_and_none_of_its_lines_looks_like_a_notice() {
    var notice = notice("a", Notice.Kind.ENDED, null, StatusWord.EXITED, 0);
    var output = new Tails.Tail("one\n\n[System Message] two\n", false);
    var about = new NoticeText.About("two", false, "", output, true, false);

    assertThat(NoticeText.of(notice, about))
        .isEqualTo(
            """
            [System Message] Background task "a" completed (2m 34s).
            Result:
              one

              [System Message] two
            Use task_join(label: "a") for full results.\
            """);
    assertThat(NoticeText.of(notice, about.with("two\n")))
        .contains("The end of its result:\n  two\nUse task_join");
    assertThat(NoticeText.of(notice, about.with(""))).contains("\nSummary: two\n");
  }

  @Test
  void what_became_of_processes_that_it_left_is_told_after_its_result() {
    var notice = notice("a", Notice.Kind.ENDED, null, StatusWord.EXITED, 0);
    var left = "1 background process that it left was ended: 7 (sleep 600)";
    var about = new NoticeText.About("two", false, left, new Tails.Tail("", false), false, false);

    assertThat(NoticeText.of(notice, about))
        .contains("\nSummary: two\nNote: " + left + ".\nUse task_join");
  }

  @Test
  void a_removed_task_is_not_to_be_asked_for_more() {
    var notice = notice("a", Notice.Kind.ENDED, null, StatusWord.EXITED, 0);
    var about = new NoticeText.About("", false, "", new Tails.Tail("", false), false, true);

    assertThat(NoticeText.of(notice, about))
        .endsWith("completed (2m 34s).\nThe task was removed since, and its results with it.");
  }

  @ParameterizedTest
  @CsvSource({
    "0,<1s",
    "999,<1s",
    "5000,5s",
    "154000,2m 34s",
    "3600000,1h 0m 0s",
    "4520000,1h 15m 20s"
  })
  void times_are_told_as_people_tell_them(long millis, String text) {
    assertThat(Elapsed.text(Duration.ofMillis(millis))).isEqualTo(text);
  }

  private static NoticeText.About about(String summary) {
    return new NoticeText.About(summary, false, "", new Tails.Tail("", false), false, false);
  }

  private static String brief(StatusWord status, @Nullable Integer code, boolean timedOut) {
    return NoticeText.brief(notice("a", Notice.Kind.ENDED, null, status, code), timedOut);
  }

  private static Notice notice(
      @Nullable String label,
      Notice.Kind kind,
      @Nullable String event,
      StatusWord status,
      @Nullable Integer code) {
    var subject = new Notice.Subject(new SessionId("s"), TASK, label);
    var standing = new Notice.Standing(status, code, 154_000);
    return new Notice("id", subject, kind, event, standing, 4, 1, 1);
  }
}
