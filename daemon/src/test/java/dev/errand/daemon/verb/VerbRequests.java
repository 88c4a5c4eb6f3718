package dev.errand.daemon.verb;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SearchFrom;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.task.StdinBody;
import dev.errand.wire.json.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every verb there is, and how it is asked about what belongs to somebody. */
final class VerbRequests {
  /** A session that has nothing of what is there. */
  static final SessionId ELSEWHERE = new SessionId("elsewhere");

  private static final Duration MOMENT = Duration.ofMillis(1);

  /** How each verb is asked about what is there. */
  static final Map<Class<?>, Asked> ALL =
      Stream.of(
              asked(SpawnTask.class, it -> spawn(it.caller().session())),
              asked(CancelTask.class, it -> new CancelTask.Request(it.taskId(), "test")),
              asked(SignalTask.class, it -> new SignalTask.Request(it.taskId(), "INT")),
              asked(WriteStdin.class, it -> new WriteStdin.Request(it.taskId(), typed())),
              asked(ResizeTerminal.class, it -> new ResizeTerminal.Request(it.taskId(), size())),
              asked(ApproveTask.class, it -> new ApproveTask.Request(it.taskId())),
              asked(DenyTask.class, it -> new DenyTask.Request(it.taskId(), "test")),
              asked(RemoveTask.class, it -> new RemoveTask.Request(it.taskId(), "test")),
              asked(OpenEvents.class, it -> new OpenEvents.Request(it.taskId())),
              asked(AttachTask.class, it -> attach(it.taskId())),
              askedEach(
                  ListTasks.class,
                  List.of(
                      _ -> tasks(null),
                      it -> tasks(it.session()),
                      it -> new ListTasks.Beginning(it.taskId().value()))),
              asked(FindTask.class, it -> FindTask.Request.byId(it.taskId().value())),
              asked(ShowTask.class, it -> new ShowTask.Request(it.taskId())),
              asked(WaitForTask.class, it -> WaitForTask.Request.forEnd(it.taskId(), MOMENT)),
              asked(LookAtScreen.class, it -> new LookAtScreen.Request(it.terminal(), null, true)),
              asked(SummarizeSession.class, _ -> new SummarizeSession.Request(9, 9))
                  .askedInSession(),
              asked(ReadEvents.class, it -> new ReadEvents.Request(it.taskId(), -1, 9, MOMENT)),
              asked(FollowEvents.class, it -> new FollowEvents.Request(it.taskId(), -1, true)),
              askedEach(
                  ReadAllEvents.class,
                  List.of(
                      _ -> new ReadAllEvents.Request(null, null, 1_000),
                      it -> new ReadAllEvents.Request(it.session(), null, 1_000))),
              askedEach(
                  FollowAllEvents.class,
                  List.of(
                      _ -> new FollowAllEvents.Request(null, null, true),
                      it -> new FollowAllEvents.Request(it.session(), null, true))),
              asked(ListSessions.class, _ -> new ListSessions.Request(null, 100)),
              asked(ShowSession.class, it -> new ShowSession.Request(it.session())),
              asked(EndSession.class, it -> new EndSession.Request(it.session())),
              asked(ShowBatch.class, it -> new ShowBatch.Request(it.session(), it.batch(), 9)),
              asked(WaitForBatch.class, it -> wait(it.session(), it.batch())),
              asked(CancelBatch.class, it -> cancel(it.session(), it.batch()))
                  .refusing(ErrorCode.FORBIDDEN, Who.BOUND_ELSEWHERE, Who.KEPT_ELSEWHERE, Who.SAFE),
              asked(ReadOutput.class, it -> output(it.taskId())),
              asked(ReadLines.class, it -> new ReadLines.Request(it.taskId(), null, 1, 9)),
              asked(SearchOutput.class, it -> search(it.taskId())),
              asked(ReadTail.class, it -> new ReadTail.Request(it.taskId(), 100)),
              asked(OpenOutput.class, it -> new OpenOutput.Request(it.taskId())),
              asked(ReadLog.class, it -> new ReadLog.Request(it.taskId() + ".stdout")),
              asked(ReadArtifact.class, it -> new ReadArtifact.Request(it.sha256())),
              asked(StoreArtifact.class, it -> store("more", it.session()))
                  .refusing(ErrorCode.FORBIDDEN, Who.BOUND_ELSEWHERE, Who.KEPT_ELSEWHERE),
              asked(ReadInbox.class, it -> inbox(it.session())),
              asked(ReadInboxText.class, it -> inbox(it.session())),
              asked(FollowInbox.class, it -> follow(it.session())),
              asked(AcknowledgeNotices.class, it -> acknowledge(it.session())),
              asked(SetWebhook.class, it -> webhook(it.session())),
              asked(ShowWebhook.class, it -> new ShowWebhook.Request(it.session())),
              asked(RemoveWebhook.class, it -> new RemoveWebhook.Request(it.session())),
              asked(ListWebhookTries.class, it -> new ListWebhookTries.Request(it.session())),
              asked(MintToken.class, it -> mint(it.token() + "-2", it.session()))
                  .refusing(ErrorCode.FORBIDDEN, Who.BOUND_ELSEWHERE, Who.SAFE, Who.IN_TASK),
              asked(ListTokens.class, _ -> new ListTokens.Request())
                  .hiddenFrom(Who.BOUND, Who.BOUND_ELSEWHERE, Who.SAFE, Who.IN_TASK),
              asked(RotateToken.class, it -> new RotateToken.Request(it.token()))
                  .refusing(ErrorCode.TOKEN_NOT_FOUND, Who.BOUND, Who.BOUND_ELSEWHERE, Who.SAFE)
                  .refusing(ErrorCode.FORBIDDEN, Who.IN_TASK),
              asked(RevokeToken.class, it -> new RevokeToken.Request(it.token()))
                  .refusing(ErrorCode.TOKEN_NOT_FOUND, Who.BOUND, Who.BOUND_ELSEWHERE, Who.SAFE)
                  .refusing(ErrorCode.FORBIDDEN, Who.IN_TASK),
              asked(CheckReadiness.class, _ -> new CheckReadiness.Request()),
              asked(ReadMetrics.class, _ -> new ReadMetrics.Request()),
              asked(ShowVersion.class, _ -> new ShowVersion.Request()),
              asked(StopDaemon.class, _ -> new StopDaemon.Request(Admin.Stop.FOR_NOW)),
              asked(CleanUp.class, _ -> new CleanUp.Request()),
              asked(ShowConfig.class, _ -> new ShowConfig.Request()),
              asked(ReloadConfig.class, _ -> new ReloadConfig.Request()),
              asked(ShowProcesses.class, _ -> new ShowProcesses.Request()),
              asked(EndProcess.class, _ -> new EndProcess.Request(4711)))
          .collect(Collectors.toMap(Asked::verb, Function.identity()));

  /** Who asks. */
  enum Who {
    OWNER,
    /** By a token for the session to which all that is named belongs. */
    BOUND,
    /** By a token for another session. */
    BOUND_ELSEWHERE,
    /** By the owner, in a call that is kept to another session, as a tool's is. */
    KEPT_ELSEWHERE,
    /** By a token of the lowest profile, for all sessions. */
    SAFE,
    /** From inside a task of the session. */
    IN_TASK
  }

  /**
   * What is there to be named, and who names it. All names begin with {@code owned-}.
   *
   * @param taskId a running task that was started by the owner
   * @param terminal another one, which has a terminal
   * @param session of both tasks; it has a webhook
   * @param batch a batch of the session, in which both tasks are
   * @param sha256 of an artifact that was uploaded for the session
   * @param token the name of a token of the owner
   */
  record There(
      TaskId taskId,
      TaskId terminal,
      SessionId session,
      String batch,
      String sha256,
      String token,
      Caller caller) {

    String[] names() {
      return new String[] {taskId.value(), terminal.value(), batch, sha256, token};
    }
  }

  /**
   * How one verb is asked.
   *
   * @param requests each is asked by everybody
   * @param refusals for a verb that itself decides who may change what is named: whom it refuses
   * @param hiddenFrom for a verb that shows some of many: who is shown nothing of what is there
   * @param inSession whether its answer is about the session in which it is asked
   */
  record Asked(
      Class<?> verb,
      List<Function<There, ? extends Verb.Request>> requests,
      Map<Who, ErrorCode> refusals,
      Set<Who> hiddenFrom,
      boolean inSession) {

    Asked refusing(ErrorCode code, Who... refused) {
      var all = new EnumMap<Who, ErrorCode>(Who.class);
      all.putAll(refusals);
      Stream.of(refused).forEach(it -> all.put(it, code));
      return new Asked(verb, requests, all, hiddenFrom, inSession);
    }

    Asked hiddenFrom(Who... blind) {
      return new Asked(verb, requests, refusals, Set.of(blind), inSession);
    }

    Asked askedInSession() {
      return new Asked(verb, requests, refusals, hiddenFrom, true);
    }
  }

  private static <Q extends Verb.Request> Asked asked(
      Class<? extends Verb<Q, ?>> verb, Function<There, ? extends Q> request) {
    return askedEach(verb, List.of(request));
  }

  private static <Q extends Verb.Request> Asked askedEach(
      Class<? extends Verb<Q, ?>> verb, List<Function<There, ? extends Q>> requests) {
    var hidden = Set.of(Who.BOUND_ELSEWHERE, Who.KEPT_ELSEWHERE);
    return new Asked(verb, List.copyOf(requests), Map.of(), hidden, false);
  }

  private static SpawnTask.Request spawn(SessionId session) {
    var body =
        Json.read(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}".getBytes(StandardCharsets.UTF_8));
    return new SpawnTask.Request(body, session, null);
  }

  private static StdinBody.Input typed() {
    return new StdinBody.Input(null, new byte[] {'x'}, false, false, false);
  }

  private static TerminalSize size() {
    return new TerminalSize(24, 80);
  }

  private static AttachTask.Request attach(TaskId taskId) {
    return new AttachTask.Request(taskId, LogStream.STDOUT.word(), null, null, true, null);
  }

  private static WaitForBatch.Request wait(SessionId session, String batch) {
    return new WaitForBatch.Request(session, batch, false, MOMENT, 9);
  }

  private static CancelBatch.Request cancel(SessionId session, String batch) {
    return new CancelBatch.Request(session, batch, "test", 9);
  }

  private static ListTasks.Matching tasks(@Nullable SessionId session) {
    var filter = new ListTasks.Filter(session, null, null, Set.of(), null, null);
    return new ListTasks.Matching(filter, null, 100);
  }

  private static ReadOutput.Request output(TaskId taskId) {
    return new ReadOutput.Request(taskId, null, new ReadOutput.Part.Tail(100), true);
  }

  private static SearchOutput.Request search(TaskId taskId) {
    var search = new SearchOutput.Search(SearchPattern.of("owned"), 0, 9, new SearchFrom.Line(1));
    return new SearchOutput.Request(taskId, null, search);
  }

  static StoreArtifact.Request store(String content, SessionId session) {
    var bytes = content.getBytes(StandardCharsets.UTF_8);
    return new StoreArtifact.Request(new ByteArrayInputStream(bytes), 100, session);
  }

  private static ReadInbox.Request inbox(SessionId session) {
    return new ReadInbox.Request(session, null, true, 9, MOMENT);
  }

  private static FollowInbox.Request follow(SessionId session) {
    return new FollowInbox.Request(session, null, true, true);
  }

  private static AcknowledgeNotices.Request acknowledge(SessionId session) {
    var none = new AcknowledgeNotices.Selection.Ids(List.of("none"));
    return new AcknowledgeNotices.Request(session, none);
  }

  /** Nobody listens there. */
  static SetWebhook.Request webhook(SessionId session) {
    return new SetWebhook.Request(session, "http://127.0.0.1:1/", null, false, List.of());
  }

  private static MintToken.Request mint(String name, SessionId session) {
    return new MintToken.Request(name, Profile.FULL_AUTO, session);
  }

  private VerbRequests() {}
}
