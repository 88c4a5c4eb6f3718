package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.surface.http.Surface;
import dev.errand.daemon.verb.VerbRequests.Asked;
import dev.errand.daemon.verb.VerbRequests.There;
import dev.errand.daemon.verb.VerbRequests.Who;
import dev.errand.wire.json.Json;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
 * less. A new verb is found by itself; it needs one line in {@link VerbRequests}.
 */
final class VerbAccessTest {
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
    var asked = VerbRequests.ALL.get(verb.getClass());
    if (asked == null) {
      throw new AssertionError(
          ("VerbAccessTest does not know how to ask %s: add a line to VerbRequests that makes its"
                  + " request from what is there")
              .formatted(verb.getClass().getSimpleName()));
    }
    assertThat(verb.access() instanceof Access.ControlsOwn)
        .as(
            "%s decides itself who may change what is named: say in VerbRequests whom it refuses, by"
                + " refusing(...); a verb with another access says nothing there",
            verb.getClass().getSimpleName())
        .isEqualTo(!asked.refusals().isEmpty());
    for (var who : Who.values()) {
      for (var request : asked.requests()) {
        check(verb, asked, request, who);
      }
    }
  }

  @SuppressWarnings("unchecked") // The request is that of the verb: asked() says so.
  private <A> void check(
      Verb<?, A> verb, Asked asked, Function<There, ? extends Verb.Request> request, Who who)
      throws InterruptedException {
    var there = there(who);
    var known = (Verb<Verb.Request, A>) verb;
    Optional<ErrorCode> refusal = Optional.empty();
    var shown = "";
    try {
      shown = Shown.text(known.run(ask(asked, who, there), request.apply(there)));
    } catch (ErrandException e) {
      refusal = Optional.of(e.code()).filter(VerbAccessTest::isRefusal);
    } finally {
      remove(there);
    }
    var as = "%s as %s".formatted(verb.name(), who);
    if (verb.access() instanceof Access.Filtered) {
      checkFiltered(as, asked.hiddenFrom().contains(who), refusal, shown, there);
      assertThat(who == Who.BOUND_ELSEWHERE && shown.contains("owned-")).as(as).isFalse();
    } else {
      assertThat(refusal).as(as).isEqualTo(Optional.ofNullable(expected(verb, asked, who)));
    }
  }

  private Ask ask(Asked asked, Who who, There there) {
    var ask = Ask.of(there.caller(), null, slots, _ -> {});
    if (who == Who.KEPT_ELSEWHERE) {
      return ask.within(VerbRequests.ELSEWHERE);
    }
    return asked.inSession() && who != Who.BOUND_ELSEWHERE ? ask.within(there.session()) : ask;
  }

  /** Whoever may not see it is refused, or is shown nothing of it. */
  private static void checkFiltered(
      String as, boolean hidden, Optional<ErrorCode> refusal, String shown, There there) {
    if (hidden) {
      assertThat(shown).as(as).doesNotContain(there.names());
      return;
    }
    assertThat(refusal).as(as).isEmpty();
    assertThat(Stream.of(there.names()).anyMatch(shown::contains) || shown.contains("owned-"))
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
      case Access.Reads(var target) ->
          switch (who) {
            case OWNER, BOUND, SAFE, IN_TASK -> null;
            case BOUND_ELSEWHERE -> missing(target);
            // Who may see all sessions needs no more than the digest.
            case KEPT_ELSEWHERE -> target == Access.Target.ARTIFACT ? null : missing(target);
          };
      case Access.Controls(var target) ->
          switch (who) {
            case OWNER, BOUND, IN_TASK -> null;
            case BOUND_ELSEWHERE, KEPT_ELSEWHERE -> missing(target);
            case SAFE -> ErrorCode.FORBIDDEN;
          };
      case Access.ControlsFromOutside(var target) ->
          switch (who) {
            case OWNER, BOUND -> null;
            case BOUND_ELSEWHERE, KEPT_ELSEWHERE -> missing(target);
            case SAFE, IN_TASK -> ErrorCode.FORBIDDEN;
          };
      case Access.Decides(var target) ->
          switch (who) {
            case OWNER, BOUND -> null;
            case BOUND_ELSEWHERE, KEPT_ELSEWHERE -> missing(target);
            case SAFE, IN_TASK -> ErrorCode.FORBIDDEN;
          };
      case Access.ControlsOwn _ -> asked.refusals().get(who);
      case Access.AllSessions _ ->
          switch (who) {
            case OWNER, KEPT_ELSEWHERE, SAFE, IN_TASK -> null;
            case BOUND, BOUND_ELSEWHERE -> ErrorCode.FORBIDDEN;
          };
      case Access.Owner _ ->
          switch (who) {
            case OWNER, KEPT_ELSEWHERE -> null;
            case BOUND, BOUND_ELSEWHERE, SAFE, IN_TASK -> ErrorCode.FORBIDDEN;
          };
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
    var taskId = started(session, batch, "pipes");
    surface.hosts.write(taskId, LogStream.STDOUT, "owned-output\n");
    var terminal = started(session, batch, "pty");
    var stored =
        surface
            .verbs
            .output()
            .store()
            .run(owner(), VerbRequests.store("owned-content-" + count, session));
    var _ = surface.verbs.webhooks().set().run(owner(), VerbRequests.webhook(session));
    var token = "owned-token-" + count;
    var _ = token(token, Profile.FULL_AUTO, null);
    var caller = caller(who, taskId, session);
    return new There(taskId, terminal, session, batch, stored.sha256(), token, caller);
  }

  private TaskId started(SessionId session, String batch, String mode) throws InterruptedException {
    var body =
        """
        {"tool": "bash", "args": {"command": "make"}, "session_id": "%s", "batch_id": "%s",
         "execution_mode": "%s"}\
        """
            .formatted(session, batch, mode);
    var request =
        new SpawnTask.Request(Json.read(body.getBytes(StandardCharsets.UTF_8)), session, null);
    var taskId = surface.verbs.tasks().spawn().run(owner(), request).id();
    surface.hosts.start(taskId);
    return taskId;
  }

  private Ask owner() {
    return Ask.of(Caller.PERSON, null, slots, _ -> {});
  }

  /** What would go on by itself. */
  private void remove(There there) throws InterruptedException {
    var request = new RemoveWebhook.Request(there.session());
    var _ = surface.verbs.webhooks().remove().run(owner(), request);
  }

  private Caller caller(Who who, TaskId taskId, SessionId session) {
    return switch (who) {
      case OWNER, KEPT_ELSEWHERE -> Caller.PERSON;
      case BOUND -> token("bound-" + count, Profile.FULL_AUTO, session);
      case BOUND_ELSEWHERE -> token("foreign-" + count, Profile.FULL_AUTO, VerbRequests.ELSEWHERE);
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

    assertThat(there).containsAll(List.copyOf(VerbRequests.ALL.keySet()));
  }
}
