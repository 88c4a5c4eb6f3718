package dev.errand.core.session;

import static dev.errand.core.session.Notice.Kind.ENDED;
import static dev.errand.core.session.Notice.Kind.READY;
import static dev.errand.core.session.Notice.Kind.SILENCED;
import static dev.errand.core.session.Notice.Kind.STATE_CHANGED;
import static dev.errand.core.session.Notice.Kind.WAITING_FOR_INPUT;
import static dev.errand.core.session.Notice.Kind.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.Command;
import dev.errand.core.task.End;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Exit;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which events make a notice, and what it says. */
final class NoticesTest {
  private static final TaskId TASK = new TaskId("00000000-0000-7000-8000-000000000001");
  private static final long AT = 9_000;
  private static final Exit EXIT =
      new Exit(3, null, null, null, Exit.Leftovers.NONE, Exit.Usage.UNKNOWN);

  private static final TaskEvent ATTEMPTED = new TaskEvent.Attempted(1, "host");
  private static final TaskEvent STARTED =
      new TaskEvent.Started(1, 1, new ProcessIdentity(7, 1, "boot", 1), 1_000);
  private static final TaskEvent HIT = new TaskEvent.WatcherHit(0, "error", null, "ERROR", 4, 10);
  private static final TaskEvent SILENT = new TaskEvent.WatcherSilenced(0, "error", "flood", 10);
  private static final TaskEvent BECAME_READY = new TaskEvent.BecameReady("up", 2_000);
  private static final TaskEvent ENDED_BADLY = new TaskEvent.Ended(new End.Exited(EXIT, 5_000));

  @Test
  void a_session_is_told_of_ends_and_watchers_unless_told_otherwise() {
    assertThat(kinds(WatchSpec.Notify.DONE_ONLY, life())).containsExactly(WATCHER, SILENCED, ENDED);
  }

  @Test
  void a_session_that_wants_changes_of_state_is_told_of_them_too() {
    assertThat(kinds(WatchSpec.Notify.STATE_CHANGES, life()))
        .containsExactly(STATE_CHANGED, READY, WATCHER, SILENCED, ENDED);
    assertThat(
            kinds(
                WatchSpec.Notify.STATE_CHANGES,
                List.of(ATTEMPTED, STARTED, new TaskEvent.Requeued(1, "gone", List.of()))))
        .containsExactly(STATE_CHANGED, STATE_CHANGED);
  }

  @Test
  void a_silent_task_makes_no_notice() {
    assertThat(kinds(WatchSpec.Notify.SILENT, life())).isEmpty();
  }

  @Test
  void a_task_that_is_held_waits_for_a_person() {
    var ruling = new Ruling(Profile.SAFE, new Ruling.Answer.Asked(4_000), "rule 1", null);
    var held = spec(WatchSpec.Notify.DONE_ONLY).ruled(ruling);

    assertThat(notices(held, List.of()))
        .extracting(Notice::kind)
        .containsExactly(WAITING_FOR_INPUT);
  }

  @Test
  void a_question_is_settled_by_its_answer_or_the_end_and_by_nothing_else() {
    var ruling = new Ruling(Profile.SAFE, new Ruling.Answer.Asked(4_000), "rule 1", null);
    var spawned = new TaskEvent.Spawned(spec(WatchSpec.Notify.DONE_ONLY).ruled(ruling));
    var held = TaskFold.evolve(new TaskState.Absent(), spawned, AT);
    var approved = TaskFold.evolve(held, new TaskEvent.Approved("ann"), AT);
    var expired = TaskFold.evolve(held, new TaskEvent.Ended(new End.ApprovalExpired(4_000)), AT);

    assertThat(Notices.answers(new TaskState.Absent(), held)).isFalse();
    assertThat(Notices.answers(held, held)).isFalse();
    assertThat(Notices.answers(held, approved)).isTrue();
    assertThat(Notices.answers(held, expired)).isTrue();
    assertThat(Notices.answers(approved, expired)).isFalse();
  }

  @Test
  void an_end_says_how_and_how_long_it_took() {
    var notice = notices(spec(WatchSpec.Notify.DONE_ONLY), life()).getLast();

    assertThat(notice)
        .isEqualTo(
            new Notice(
                "id-3",
                new Notice.Subject(new SessionId("s1"), TASK, "build"),
                ENDED,
                null,
                new Notice.Standing(StatusWord.EXITED, 3, 4_000),
                6,
                AT,
                1));
  }

  @Test
  void a_hit_says_which_event_and_stands_for_all_hits_of_its_frame() {
    var notice = notices(spec(WatchSpec.Notify.DONE_ONLY), life()).getFirst();

    assertThat(notice.event()).isEqualTo("error");
    assertThat(notice.merged()).isEqualTo(4);
    assertThat(notice.standing()).isEqualTo(new Notice.Standing(StatusWord.RUNNING, null, 8_000));
  }

  @Test
  void hits_that_saw_the_same_are_alike_and_all_else_counts_for_itself() {
    var again = new TaskEvent.WatcherHit(0, "error", null, "ERROR", 1, 11);

    assertThat(Notices.likeness(again)).isNotNull().isEqualTo(Notices.likeness(HIT));
    assertThat(
            List.of(
                new TaskEvent.WatcherHit(0, "error", null, "ERROR 2", 1, 11),
                new TaskEvent.WatcherHit(1, "other", null, "ERROR", 1, 11)))
        .noneMatch(it -> Objects.equals(Notices.likeness(it), Notices.likeness(HIT)));
    assertThat(List.of(SILENT, BECAME_READY, ENDED_BADLY, STARTED))
        .allMatch(it -> Notices.likeness(it) == null);
  }

  @Test
  void a_task_that_never_started_took_no_time() {
    var end = new End.NotStarted("dependency_failed", "no", 5_000);
    var notice =
        notices(spec(WatchSpec.Notify.DONE_ONLY), List.of(new TaskEvent.Ended(end))).getLast();

    assertThat(notice.standing()).isEqualTo(new Notice.Standing(StatusWord.FAILED, null, 0));
  }

  private static List<TaskEvent> life() {
    return List.of(ATTEMPTED, STARTED, BECAME_READY, HIT, SILENT, ENDED_BADLY);
  }

  private static List<Notice.Kind> kinds(WatchSpec.Notify tells, List<TaskEvent> events) {
    return notices(spec(tells), events).stream().map(Notice::kind).toList();
  }

  private static List<Notice> notices(TaskSpec spec, List<TaskEvent> later) {
    var events = new ArrayList<TaskEvent>();
    events.add(new TaskEvent.Spawned(spec));
    events.addAll(later);
    var notices = new ArrayList<Notice>();
    TaskState state = new TaskState.Absent();
    for (var seq = 0; seq < events.size(); seq++) {
      var after = TaskFold.evolve(state, events.get(seq), AT);
      var happened = new Notices.Happened(TASK, events.get(seq), after, seq, AT);
      Notices.of(happened, () -> "id-" + (notices.size() + 1)).ifPresent(notices::add);
      state = after;
    }
    return notices;
  }

  private static TaskSpec spec(WatchSpec.Notify tells) {
    var watcher = new Watcher("error", new WatchCondition.Regex("ERROR", null), false);
    return new TaskSpec(
            new TaskSpec.Origin(new SessionId("s1"), "tester", "build", null, null),
            new Command(
                "bash",
                new Invocation.Shell("make"),
                "/",
                Environment.NONE,
                new Command.Io(
                    Command.ExecutionMode.PIPES,
                    false,
                    1 << 20,
                    Command.OnOutputLimit.TRUNCATE,
                    1_000),
                new Command.Limits(null, null, Duration.ZERO, Duration.ZERO, Command.Leftover.KILL),
                Command.OnRestart.LOST))
        .attending(new WatchSpec(tells, List.of(watcher), null));
  }
}
