package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.surface.http.Surface;
import dev.errand.daemon.task.StdinBody;
import dev.errand.wire.json.Json;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every verb there is, asked about what belongs to somebody by the owner and by those who may do
 * less. A new verb is found by itself; it needs one line in {@link #REQUESTS}.
 */
final class VerbAccessTest {
  /** How each verb is asked about what is there. */
  private static final Map<Class<?>, Asked> REQUESTS =
      Stream.of(
              asked(SpawnTask.class, it -> spawn(it.caller().session())),
              asked(CancelTask.class, it -> new CancelTask.Request(it.taskId(), "test")),
              asked(SignalTask.class, it -> new SignalTask.Request(it.taskId(), "INT")),
              asked(WriteStdin.class, it -> new WriteStdin.Request(it.taskId(), typed())),
              asked(ResizeTerminal.class, it -> new ResizeTerminal.Request(it.taskId(), size())),
              asked(ApproveTask.class, it -> new ApproveTask.Request(it.taskId())),
              asked(DenyTask.class, it -> new DenyTask.Request(it.taskId(), "test")),
              asked(RemoveTask.class, it -> new RemoveTask.Request(it.taskId(), "test")),
              asked(AttachTask.class, it -> attach(it.taskId())),
              asked(OpenEvents.class, it -> new OpenEvents.Request(it.taskId())),
              asked(ListSessions.class, _ -> new ListSessions.Request(null, 100)),
              asked(ShowSession.class, it -> new ShowSession.Request(it.session())),
              asked(EndSession.class, it -> new EndSession.Request(it.session())),
              asked(ShowBatch.class, it -> new ShowBatch.Request(it.session(), it.batch(), 9)),
              asked(WaitForBatch.class, it -> wait(it.session(), it.batch())),
              asked(CancelBatch.class, it -> cancel(it.session(), it.batch()))
                  .refusing(Who.BOUND_ELSEWHERE, ErrorCode.FORBIDDEN)
                  .refusing(Who.SAFE, ErrorCode.FORBIDDEN))
          .collect(Collectors.toMap(Asked::verb, Function.identity()));

  /** Who asks. */
  private enum Who {
    OWNER,
    /** By a token for the session to which all that is named belongs. */
    BOUND,
    /** By a token for another session. */
    BOUND_ELSEWHERE,
    /** By a token of the lowest profile, for all sessions. */
    SAFE,
    /** From inside a task of the session. */
    IN_TASK
  }

  /**
   * What is there to be named, and who names it. All names begin with {@code owned-}.
   *
   * @param taskId a running task that was started by the owner
   * @param batch a batch of the session, in which that task is
   * @param token the name of a token of the owner
   */
  private record There(
      TaskId taskId, SessionId session, String batch, String token, Caller caller) {}

  /**
   * How one verb is asked.
   *
   * @param refusals for a verb that itself decides who may change what is named: whom it refuses
   */
  private record Asked(
      Class<?> verb,
      Function<There, ? extends Verb.Request> request,
      Map<Who, ErrorCode> refusals) {

    Asked refusing(Who who, ErrorCode code) {
      var all = Stream.concat(refusals.entrySet().stream(), Stream.of(Map.entry(who, code)));
      return new Asked(
          verb, request, all.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }
  }

  private static <Q extends Verb.Request> Asked asked(
      Class<? extends Verb<Q, ?>> verb, Function<There, Q> request) {
    return new Asked(verb, request, Map.of());
  }

  private static SpawnTask.Request spawn(SessionId session) {
    var body =
        Json.read(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}".getBytes(StandardCharsets.UTF_8));
    return new SpawnTask.Request(body, session, null, UnaryOperator.identity());
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
    return new WaitForBatch.Request(session, batch, false, Duration.ofMillis(1), 9);
  }

  private static CancelBatch.Request cancel(SessionId session, String batch) {
    return new CancelBatch.Request(session, batch, "test", 9);
  }

  @TempDir Path folder;
  private final WaitSlots slots = new WaitSlots(8);
  private Surface surface;
  private int count;

  @BeforeEach
  void start() throws Exception {
    surface = Surface.start(folder);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  /** A verb by its place in {@link Verbs}: the family, then its own name in it. */
  record Place(RecordComponent family, RecordComponent verb) {
    Verb<?, ?> in(Verbs verbs) throws ReflectiveOperationException {
      return (Verb<?, ?>) verb.getAccessor().invoke(family.getAccessor().invoke(verbs));
    }

    @Override
    public String toString() {
      return family.getName() + "." + verb.getName();
    }
  }

  static Stream<Place> verbs() {
    return Arrays.stream(Verbs.class.getRecordComponents())
        .flatMap(family ->
            Arrays.stream(family.getType().getRecordComponents())
                .map(verb -> new Place(family, verb)));
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void each_verb_lets_in_whom_it_is_for_and_nobody_else(Place place) throws Exception {
    var verb = place.in(surface.verbs);
    var asked = REQUESTS.get(verb.getClass());
    if (asked == null) {
      throw new AssertionError(
          ("VerbAccessTest does not know how to ask %s: add a line to REQUESTS that makes its"
                  + " request from what is there")
              .formatted(verb.getClass().getSimpleName()));
    }
    assertThat(verb.access() instanceof Access.ControlsOwn)
        .as(
            "%s decides itself who may change what is named: say in REQUESTS whom it refuses, by"
                + " refusing(...); a verb with another access says nothing there",
            verb.getClass().getSimpleName())
        .isEqualTo(!asked.refusals().isEmpty());
    for (var who : Who.values()) {
      check(verb, asked, who);
    }
  }

  @SuppressWarnings("unchecked") // The request is that of the verb: asked() says so.
  private <A> void check(Verb<?, A> verb, Asked asked, Who who) throws InterruptedException {
    var there = there(who);
    var ask = Ask.of(there.caller(), null, slots, _ -> {});
    var known = (Verb<Verb.Request, A>) verb;
    Optional<ErrorCode> refusal = Optional.empty();
    var shown = "";
    try {
      shown = Shown.text(known.run(ask, asked.request().apply(there)));
    } catch (ErrandException e) {
      refusal = Optional.of(e.code()).filter(VerbAccessTest::isRefusal);
    }
    var as = "%s as %s".formatted(verb.name(), who);
    if (verb.access() instanceof Access.Filtered) {
      checkFiltered(as, who, refusal, shown, there);
    } else {
      assertThat(refusal).as(as).isEqualTo(Optional.ofNullable(expected(verb, asked, who)));
    }
  }

  /** Whoever may not see it is refused, or is shown nothing of it. */
  private static void checkFiltered(
      String as, Who who, Optional<ErrorCode> refusal, String shown, There there) {
    if (who == Who.BOUND_ELSEWHERE) {
      assertThat(shown).as(as).doesNotContain(there.taskId().value(), "owned-");
      return;
    }
    assertThat(refusal).as(as).isEmpty();
    assertThat(shown.contains(there.taskId().value()) || shown.contains("owned-"))
        .as("%s is shown what is there: %s", as, shown)
        .isTrue();
  }

  /** The code of an answer to somebody for whom it is not; any other failure came behind that. */
  private static boolean isRefusal(ErrorCode code) {
    return switch (code.kind()) {
      case FORBIDDEN, UNAUTHENTICATED, MISSING -> true;
      case INVALID, METHOD, GONE, CONFLICT, TIMEOUT, TOO_LARGE, RANGE, BUSY, RESOURCES, DAEMON ->
          false;
    };
  }

  /** Null where it is let in. */
  private static @Nullable ErrorCode expected(Verb<?, ?> verb, Asked asked, Who who) {
    return switch (verb.access()) {
      case Access.Open _, Access.Common _, Access.Filtered _ -> null;
      case Access.Spawns _ -> who == Who.SAFE ? ErrorCode.POLICY_DENIED : null;
      case Access.Reads(var target) -> who == Who.BOUND_ELSEWHERE ? missing(target) : null;
      case Access.Controls(var target) ->
          switch (who) {
            case OWNER, BOUND, IN_TASK -> null;
            case BOUND_ELSEWHERE -> missing(target);
            case SAFE -> ErrorCode.FORBIDDEN;
          };
      case Access.Decides(var target) ->
          switch (who) {
            case OWNER, BOUND -> null;
            case BOUND_ELSEWHERE -> missing(target);
            case SAFE, IN_TASK -> ErrorCode.FORBIDDEN;
          };
      case Access.ControlsOwn _ -> asked.refusals().get(who);
      case Access.AllSessions _ ->
          switch (who) {
            case OWNER, SAFE, IN_TASK -> null;
            case BOUND, BOUND_ELSEWHERE -> ErrorCode.FORBIDDEN;
          };
      case Access.Owner _ -> who == Who.OWNER ? null : ErrorCode.FORBIDDEN;
    };
  }

  private static ErrorCode missing(Access.Target target) {
    return switch (target) {
      case TASK, LOG -> ErrorCode.TASK_NOT_FOUND;
      case ARTIFACT -> ErrorCode.ARTIFACT_NOT_FOUND;
      case SESSION -> ErrorCode.NOT_FOUND;
    };
  }

  /** New for each call: many of them end what they name. */
  private There there(Who who) throws InterruptedException {
    count++;
    var session = new SessionId("owned-" + count);
    var batch = "owned-batch-" + count;
    var body =
        "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"session_id\":\"%s\",\"batch_id\":\"%s\"}"
            .formatted(session, batch);
    var request =
        new SpawnTask.Request(
            Json.read(body.getBytes(StandardCharsets.UTF_8)),
            session,
            null,
            UnaryOperator.identity());
    var owner = Ask.of(Caller.PERSON, null, slots, _ -> {});
    var taskId = surface.verbs.tasks().spawn().run(owner, request).id();
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "owned-output\n");
    var token = "owned-token-" + count;
    var _ = token(token, Profile.FULL_AUTO, null);
    return new There(taskId, session, batch, token, caller(who, taskId, session));
  }

  private Caller caller(Who who, TaskId taskId, SessionId session) {
    return switch (who) {
      case OWNER -> Caller.PERSON;
      case BOUND -> token("bound-" + count, Profile.FULL_AUTO, session);
      case BOUND_ELSEWHERE ->
          token("foreign-" + count, Profile.FULL_AUTO, new SessionId("elsewhere"));
      case SAFE -> token("safe-" + count, Profile.SAFE, null);
      case IN_TASK -> Caller.task(taskId, session, Profile.FULL_AUTO);
    };
  }

  private Caller token(String name, Profile profile, @Nullable SessionId session) {
    var minted =
        surface.tokens.mint(
            new Tokens.Manager.Owner("cli"), new Tokens.NewToken(name, profile, session));
    return Caller.REMOTE.with(minted.grant());
  }

  /** Without it, a verb of which there is one no more would be kept in the table for ever. */
  @Test
  void every_line_is_of_a_verb_that_is_there() throws Exception {
    var there = verbs().map(it -> (Object) it.verb().getType()).toList();

    assertThat(there).containsAll(List.copyOf(REQUESTS.keySet()));
  }
}
