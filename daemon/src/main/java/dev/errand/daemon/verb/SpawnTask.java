package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.CwdFrom;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.wire.json.Json;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Starts a task: accepted, held for approval, or refused by the policy. */
public final class SpawnTask extends Change<SpawnTask.Request, AcceptedTask> {
  private static final String TASK_ID = "task_id";
  private static final String SEQ = "seq";
  private static final String CWD_FROM = "cwd_from";

  private final Spawns spawns;
  private final Tasks tasks;
  private final TaskViews views;

  /**
   * What is asked.
   *
   * @param session the session if the body names none
   * @param seen the session that the caller is limited to, which decides what the task may follow;
   *     null for none
   * @param folder where the caller works, if the body names no folder; null if it has none
   * @param fitted what the door adds before the policy judges; a repeat need not add the same
   */
  public record Request(
      JsonNode body,
      SessionId session,
      @Nullable SessionId seen,
      @Nullable String folder,
      UnaryOperator<TaskSpec> fitted)
      implements Change.Request {

    /** Of a caller without a folder, as it stands. */
    public Request(JsonNode body, SessionId session, @Nullable SessionId seen) {
      this(body, session, seen, null, UnaryOperator.identity());
    }

    @Override
    public String target() {
      return "";
    }

    @Override
    public List<String> words() {
      var words = List.of(Json.canonical(body), session.value(), seen == null ? "" : seen.value());
      return folder == null ? words : Stream.concat(words.stream(), Stream.of(folder)).toList();
    }

    /** The body may hold secrets. */
    @Override
    public String toString() {
      return "SpawnTask.Request[" + session.value() + "]";
    }
  }

  SpawnTask(Verbs.Parts parts) {
    super("spawn", new Access.Spawns(), parts.floor());
    this.spawns = parts.work().spawns();
    this.tasks = parts.work().tasks();
    this.views = parts.work().views();
  }

  @Override
  AcceptedTask change(Ask ask, Request request, Once<AcceptedTask> once) {
    var caller = ask.caller();
    var seen = caller.boundTo() == null ? request.seen() : caller.boundTo();
    var prepared =
        spawns
            .prepare(request.body(), caller.requester(), request.session(), seen, request.folder())
            .fitted(request.fitted());
    var cwdFrom = prepared.cwdFrom();
    var owned = caller.owns(prepared.spec().origin().sessionId());
    var snapshot =
        once.submit(
            guard -> spawns.spawn(prepared, caller.profile(), owned, guard),
            it -> remembered(it.taskId(), it.lastSeq(), cwdFrom));
    return new AcceptedTask(views.accepted(snapshot), cwdFrom);
  }

  @Override
  ObjectNode remembered(AcceptedTask task) {
    return remembered(task.id(), task.view().facts().progress().lastSeq(), task.cwdFrom());
  }

  /** That of the caller is what is meant where nothing is said, as by earlier versions. */
  private static ObjectNode remembered(TaskId taskId, long seq, CwdFrom cwdFrom) {
    var node = JsonNodeFactory.instance.objectNode().put(TASK_ID, taskId.value()).put(SEQ, seq);
    return cwdFrom == CwdFrom.CALLER ? node : node.put(CWD_FROM, cwdFrom.name());
  }

  @Override
  AcceptedTask again(JsonNode remembered) {
    var taskId = new TaskId(remembered.path(TASK_ID).stringValue(""));
    var cwdFrom = CwdFrom.valueOf(remembered.path(CWD_FROM).stringValue(CwdFrom.CALLER.name()));
    return new AcceptedTask(views.view(taskId, remembered.path(SEQ).longValue()), cwdFrom);
  }

  @Override
  String outcome(AcceptedTask task) {
    return task.id().value();
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
