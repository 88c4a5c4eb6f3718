package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.IdempotentReply;
import dev.errand.core.engine.Outcome;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.CwdFrom;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.wire.json.SpawnRequest;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Turns a request into a task: completed, judged, and then accepted, held or rejected. */
public final class Spawns {
  private static final Logger AUDIT = LoggerFactory.getLogger("errand.audit");

  private final SpecBuilder specs;
  private final SpawnPolicy policy;
  private final Tasks tasks;
  private final Engine engine;
  private final Relations relations;
  private final Sessions sessions;
  private final Rejections rejections;
  private final AtomicLong rejected = new AtomicLong();

  public Spawns(
      SpecBuilder specs,
      SpawnPolicy policy,
      Tasks tasks,
      Engine engine,
      Relations relations,
      Sessions sessions,
      InstantSource clock) {
    this.specs = specs;
    this.policy = policy;
    this.tasks = tasks;
    this.engine = engine;
    this.relations = relations;
    this.sessions = sessions;
    this.rejections = new Rejections(engine, clock);
  }

  /** The request, the task that it creates, and what decided on the folder of the task. */
  public record Prepared(SpawnRequest request, TaskSpec spec, CwdFrom cwdFrom) {

    /** The same with what its door adds. */
    public Prepared fitted(UnaryOperator<TaskSpec> fit) {
      return new Prepared(request, fit.apply(spec), cwdFrom);
    }
  }

  /**
   * The completed request in a session, as a child of the requester's task if it is one; throws if
   * the request is malformed or cannot be met here, which is recorded, and if the requester may not
   * see the session.
   *
   * @param seen the session that the requester is limited to, which decides what the task may
   *     follow; null if it sees all
   * @param folder where the requester works; null if it has no folder
   */
  public Prepared prepare(
      JsonNode body,
      Requester requester,
      SessionId session,
      @Nullable SessionId seen,
      @Nullable String folder) {
    try {
      var request = specs.request(body);
      var built = built(request, requester, session, folder);
      return new Prepared(request, relations.of(built.spec(), requester, seen), built.cwdFrom());
    } catch (ErrandException e) {
      var tool = body.path("tool").stringValue("");
      rejected(named(body, requester, session), tool, e, requester.by());
      throw e;
    }
  }

  /** The requested session of the task, as far as that can be read. */
  private static SessionId named(JsonNode body, Requester requester, SessionId usual) {
    var name = body.path("session_id").stringValue("");
    var isMeant = SessionId.isValid(name) && requester.sees(new SessionId(name));
    return isMeant ? new SessionId(name) : usual;
  }

  /** Records that a spawn was refused before it arrived here as a request for a task. */
  public void rejected(SessionId session, String tool, ErrandException refusal, String by) {
    var detail = String.valueOf(refusal.getMessage());
    rejections.record(session, tool, null, refusal.code(), detail, by);
  }

  private SpecBuilder.Built built(
      SpawnRequest request, Requester requester, SessionId usual, @Nullable String folder) {
    var named = request.names().sessionId();
    var session = named == null ? usual : named;
    // First, since a refusal may tell the folder of the session.
    requester.mustSee(session);
    var folders = new SpecBuilder.Folders(folder, sessions.folder(session));
    return specs.build(request, requester.by(), session, folders);
  }

  /**
   * A refusal is recorded before it is returned.
   *
   * @param owned whether the session is the requester's, so that a folder that it names may become
   *     that of the session: others would choose where the tasks of that session run
   */
  public Outcome spawn(
      Prepared prepared, Profile profile, boolean owned, @Nullable IdempotentReply guard) {
    var request = prepared.request();
    var spec = prepared.spec();
    var justification = request.justification();
    return switch (policy.judge(spec, profile, justification)) {
      case Judgement.Accepted(var ruled) ->
          recorded(
              spec,
              () ->
                  sessions.use(
                      spec.origin().sessionId(),
                      spec.origin().by(),
                      owned && prepared.cwdFrom() == CwdFrom.CALLER ? ruled.work().cwd() : null,
                      () -> tasks.spawn(ruled, request.work().secrets(), guard)));
      case Judgement.Refused it -> reject(spec, justification, it, guard);
    };
  }

  private Outcome recorded(TaskSpec spec, Supplier<Outcome> spawn) {
    try {
      var outcome = spawn.get();
      if (outcome instanceof Outcome.Refused it) {
        rejections.record(spec, it.code(), it.detail());
      }
      return outcome;
    } catch (ErrandException e) {
      rejections.record(spec, e.code(), String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private Outcome reject(
      TaskSpec spec,
      @Nullable String justification,
      Judgement.Refused refused,
      @Nullable IdempotentReply guard) {
    var by = spec.origin().by();
    var event =
        new SessionEvent.TaskRejected(
            spec.work().toolName(),
            ArgsDigest.of(spec),
            refused.code(),
            refused.basis().name(),
            justification,
            by);
    var facts = Map.of("rule", (long) refused.basis().number());
    var outcome = new Outcome.Refused(refused.code(), refused.detail(), facts);
    rejected.incrementAndGet();
    AUDIT.warn("{} may not run a task: {} by {}", by, refused.code(), refused.basis().name());
    return engine.reject(spec.origin().sessionId(), event, outcome, guard);
  }

  /** Lets a held task run, in the folder that was checked when it was requested. */
  public Outcome approve(TaskId taskId, String by, @Nullable IdempotentReply guard) {
    if (engine.snapshot(taskId).state() instanceof TaskState.Held held
        && !policy.isStillInside(held.facts().spec())) {
      throw new ErrandException(
          ErrorCode.POLICY_DENIED,
          held.facts().spec().work().cwd()
              + " is gone or leads elsewhere by now; deny the task and spawn it again");
    }
    return tasks.approve(taskId, by, guard);
  }

  /** The sessions that tasks are spawned in. */
  public Sessions sessions() {
    return sessions;
  }

  /** How many tasks the policy has refused since the daemon started. */
  public long rejected() {
    return rejected.get();
  }
}
