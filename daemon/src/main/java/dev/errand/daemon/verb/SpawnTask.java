package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.Tasks;
import dev.errand.wire.json.Json;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Starts a task: accepted, held for approval, or refused by the policy. */
public final class SpawnTask extends TaskChange<SpawnTask.Request> {
  private final Spawns spawns;
  private final Tasks tasks;

  /**
   * What is asked.
   *
   * @param session the session if the body names none
   * @param seen the session that the caller is limited to, which decides what the task may follow;
   *     null for none
   * @param fitted what the door adds before the policy judges; a repeat need not add the same
   */
  public record Request(
      JsonNode body, SessionId session, @Nullable SessionId seen, UnaryOperator<TaskSpec> fitted)
      implements Change.Request {

    @Override
    public String target() {
      return "";
    }

    @Override
    public List<String> words() {
      return List.of(Json.canonical(body), session.value(), seen == null ? "" : seen.value());
    }

    /** The body may hold secrets. */
    @Override
    public String toString() {
      return "SpawnTask.Request[" + session.value() + "]";
    }
  }

  SpawnTask(Verbs.Parts parts) {
    super("spawn", new Access.Spawns(), parts.floor(), parts.work().views());
    this.spawns = parts.work().spawns();
    this.tasks = parts.work().tasks();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) {
    var caller = ask.caller();
    var seen = caller.boundTo() == null ? request.seen() : caller.boundTo();
    var prepared = spawns.prepare(request.body(), caller.requester(), request.session(), seen);
    var spec = request.fitted().apply(prepared.spec());
    var profile = caller.profile();
    return views()
        .accepted(submit(once, guard -> spawns.spawn(spec, profile, prepared.request(), guard)));
  }

  @Override
  String outcome(TaskView view) {
    return view.id().value();
  }

  /** The call that started a task and waited for its end is over. */
  public void callEnded(TaskId taskId) {
    tasks.callEnded(taskId);
  }

  /** Records that a spawn was refused before a request could be made of it. */
  public void unread(Caller caller, SessionId session, String tool, ErrandException refusal) {
    spawns.rejected(session, tool, refusal, caller.principal());
  }
}
