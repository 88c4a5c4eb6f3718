package dev.errand.daemon.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.engine.Engine;
import dev.errand.core.task.End;
import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.wire.json.JsonFrameCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CascadeTest {
  private final EngineFixture fixture = new EngineFixture();
  private final Cascade cascade = new Cascade(new JsonFrameCodec(), fixture.clock);

  CascadeTest() {
    fixture.engine.subscribe(cascade);
  }

  @AfterEach
  void close() {
    cascade.close();
  }

  @Test
  void a_cancel_reaches_children_and_their_children_and_says_why() {
    start(fixture.engine);
    var parent = spawn(null);
    var child = spawn(parent);
    var grandchild = spawn(child);
    var stranger = spawn(null);

    cancel(parent);

    await().until(() -> isOver(child) && isOver(grandchild));
    assertThat(fixture.state(stranger)).isInstanceOf(TaskState.Queued.class);
    assertThat(((TaskState.Ended) fixture.state(child)).end())
        .isInstanceOfSatisfying(
            End.Cancelled.class,
            it -> {
              assertThat(it.reason()).contains(parent.value(), "enough");
              assertThat(it.by()).isEqualTo("ann");
            });
  }

  @Test
  void a_parent_that_ended_well_does_not_cut_off_those_below_it() {
    start(fixture.engine);
    var top = spawn(null);
    var middle = spawn(top);
    var below = spawn(middle);
    claimAndEnd(middle);
    assertThat(fixture.state(below)).isInstanceOf(TaskState.Queued.class);

    cancel(top);

    await().until(() -> isOver(below));
  }

  @Test
  void a_child_that_comes_after_the_cancel_is_cancelled_too() {
    start(fixture.engine);
    var parent = fixture.running();
    cancel(parent);

    var late = spawn(parent);

    await().until(() -> isOver(late));
  }

  @Test
  void what_a_crash_cut_short_is_finished_at_the_start() {
    var parent = spawn(null);
    var child = spawn(parent);
    cancel(parent);

    var engine = fixture.open();
    assertThat(engine.snapshot(child).state()).isInstanceOf(TaskState.Queued.class);
    engine.subscribe(cascade);
    start(engine);

    await().until(() -> engine.snapshot(child).state() instanceof TaskState.Ended);
  }

  @Test
  void a_parent_that_cannot_be_read_holds_up_nobody_and_cuts_off_no_child() {
    start(fixture.engine);
    var top = spawn(null);
    var unreadable = spawn(null);
    var damaged = spawn(top);
    fixture.journal.damageRow(damaged);
    fixture.journal.makeUnreadable(unreadable);
    var child = spawn(unreadable);
    var grandchild = spawn(damaged);

    cancel(top);
    cancel(unreadable);

    await().until(() -> isOver(grandchild) && isOver(child));
  }

  private void start(Engine engine) {
    cascade.start(
        engine,
        (taskId, reason, by) ->
            engine.submit(taskId, new TaskCommand.Cancel(reason, by, 2_000), null));
  }

  private TaskId spawn(@Nullable TaskId parent) {
    var plan = parent == null ? Plan.NONE : Plan.NONE.below(parent, Plan.NONE);
    var taskId = fixture.ids.nextTask();
    var spec = EngineFixture.spec().planned(plan);
    fixture.engine.submit(taskId, new TaskCommand.Spawn(spec, null), null).orThrow();
    return taskId;
  }

  private void cancel(TaskId taskId) {
    fixture.engine.submit(taskId, EngineFixture.cancel(), null).orThrow();
  }

  private void claimAndEnd(TaskId taskId) {
    fixture.engine.submit(taskId, EngineFixture.CLAIM, null).orThrow();
    fixture
        .engine
        .submit(
            taskId,
            EngineFixture.report(
                EngineFixture.started(),
                EngineFixture.output(3, 0, 10),
                EngineFixture.exited(4, 10)),
            null)
        .orThrow();
  }

  private boolean isOver(TaskId taskId) {
    return fixture.state(taskId) instanceof TaskState.Ended;
  }
}
