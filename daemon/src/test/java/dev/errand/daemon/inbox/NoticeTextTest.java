package dev.errand.daemon.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.Tails;
import java.time.Duration;
import java.util.List;
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

    assertThat(NoticeText.of(notice, about(notice, "research", "Found 12 mentions.")))
        .isEqualTo(
            """
            [System Message] Background task "research" completed (2m 34s).
            Summary: Found 12 mentions.
            Use task_output(task_id: "00000000-0000-7000") for full results.\
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
  void hits_are_counted_and_a_task_without_a_name_is_named_by_its_id() {
    var notice =
        notice(null, Notice.Kind.WATCHER, "error", StatusWord.RUNNING, null).standingFor(10);
    var about = about(notice, null, "ERROR in line 3");

    assertThat(NoticeText.of(notice, about))
        .isEqualTo(
            """
            [System Message] Background task 00000000-0000-7000 saw the event "error", seen 10 times.
            Summary: ERROR in line 3
            Use task_status(task_id: "00000000-0000-7000") to see how it stands.\
            """);
    assertThat(NoticeText.brief(notice, "make test", false))
        .isEqualTo("\"make test\" (00000000-0000-7000) saw the event \"error\", seen 10 times");
  }

  @Test
  void notices_of_several_sorts_are_counted_as_notices() {
    var notice = notice("a", Notice.Kind.ENDED, null, StatusWord.EXITED, 0).standingFor(3);

    assertThat(NoticeText.brief(notice, "a", false))
        .isEqualTo("\"a\" completed (2m 34s), the newest of 3 notices");
  }

  @Test
  void a_name_is_one_plain_line_of_80_characters() {
    var notice = notice(null, Notice.Kind.ENDED, null, StatusWord.EXITED, 0);
    var text = NoticeText.of(notice, about(notice, "echo \u001b[2J\n" + "x".repeat(200), ""));

    assertThat(text)
        .startsWith("[System Message] Background task \"echo  " + "x".repeat(73) + "…\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ENDED;bash;false;task_output(task_id: 'ID');{'tool':'task_output','arguments':{'task_id':'WHOLE'},",
        "WATCHER;bash;false;task_status(task_id: 'ID');{'tool':'task_status','arguments':{'task_id':'WHOLE'},",
        "ENDED;shell;false;shell(action: 'poll', run_id: 'ID');{'tool':'shell','arguments':{'action':'poll','run_id':'WHOLE'},",
        "WATCHER;shell;false;shell(action: 'poll', run_id: 'ID');{'tool':'shell','arguments':{'action':'poll','run_id':'WHOLE'},",
        "ENDED;bash;true;background_output(task_id: 'ID');{'tool':'background_output','arguments':{'task_id':'WHOLE'},",
        "READY;bash;true;background_output(task_id: 'ID');{'tool':'background_output','arguments':{'task_id':'WHOLE'},"
      },
      quoteCharacter = '|')
  void each_family_of_tools_is_sent_to_its_own(
      Notice.Kind kind, String startedAs, boolean background, String text, String json) {
    var notice = notice("a", kind, "e", StatusWord.RUNNING, null);
    var fetch = NoticeFetch.of(notice, startedAs, background);

    assertThat(fetch.text()).isEqualTo(text.replace('\'', '"').replace("ID", "00000000-0000-7000"));
    assertThat(fetch.json().toString())
        .startsWith(json.replace('\'', '"').replace("WHOLE", TASK.value()))
        .endsWith("\"http\":\"GET /tasks/" + TASK + "\"}");
  }

  @Test
  void an_event_s_name_cannot_command_a_terminal() {
    var notice = notice("a", Notice.Kind.WATCHER, "\u001b[2Jgone\n", StatusWord.RUNNING, null);

    assertThat(NoticeText.of(notice, about(notice, "a", ""))).contains("the event \"gone\"");
  }

  @Test
  void a_whole_result_stands_in_the_text_and_none_of_its_lines_looks_like_a_notice() {
    var notice = notice("a", Notice.Kind.ENDED, null, StatusWord.EXITED, 0);
    var output = new Tails.Tail("one\n\n[System Message] two\n", false);
    var about = about(notice, "a", "two", List.of(), output);

    assertThat(NoticeText.of(notice, about))
        .isEqualTo(
            """
            [System Message] Background task "a" completed (2m 34s).
            Result:
              one

              [System Message] two
            Use task_output(task_id: "00000000-0000-7000") for full results.\
            """);
    assertThat(NoticeText.of(notice, about.with("two\n")))
        .contains("The end of its result:\n  two\nUse task_output");
    assertThat(NoticeText.of(notice, about.with(""))).contains("\nSummary: two\n");
  }

  @Test
  void what_became_of_processes_that_it_left_is_told_after_its_result() {
    var notice = notice("a", Notice.Kind.ENDED, null, StatusWord.EXITED, 0);
    var left = "1 background process that it left was ended: 7 (sleep 600)";
    var lost = "it ran twice: the first attempt was lost";
    var about = about(notice, "a", "two", List.of(lost, left), new Tails.Tail("", false));

    assertThat(NoticeText.of(notice, about))
        .contains("\nSummary: two\nNote: " + lost + ".\nNote: " + left + ".\nUse task_output");
  }

  @Test
  void a_removed_task_is_not_to_be_asked_for_more() {
    var notice = notice("a", Notice.Kind.ENDED, null, StatusWord.EXITED, 0);
    var nothing = new Tails.Tail("", false);
    var about = new NoticeText.About("a", null, "", false, List.of(), nothing, false);

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

  private static NoticeText.About about(Notice notice, @Nullable String name, String summary) {
    var fetch = NoticeFetch.of(notice, "bash", false);
    var nothing = new Tails.Tail("", false);
    return new NoticeText.About(name, fetch, summary, false, List.of(), nothing, false);
  }

  /** With the whole result. */
  private static NoticeText.About about(
      Notice notice, String name, String summary, List<String> notes, Tails.Tail output) {
    var fetch = NoticeFetch.of(notice, "bash", false);
    return new NoticeText.About(name, fetch, summary, false, notes, output, true);
  }

  private static String brief(StatusWord status, @Nullable Integer code, boolean timedOut) {
    return NoticeText.brief(notice("a", Notice.Kind.ENDED, null, status, code), "a", timedOut);
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
