package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Grant;
import dev.errand.daemon.access.Tokens;
import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller may do is only ever made less. */
final class CallerTest {
  private static final SessionId BLUE = new SessionId("blue");
  private static final SessionId RED = new SessionId("red");

  static List<Caller> callers() {
    var owner = Caller.PERSON;
    var bound = owner.narrowed(Profile.FULL_AUTO, BLUE, "agent");
    var safe = owner.narrowed(Profile.SAFE, null, null);
    return List.of(owner, bound, safe, Caller.NOBODY);
  }

  @ParameterizedTest
  @MethodSource("callers")
  void narrowing_gives_no_right_that_was_not_there(Caller caller) {
    for (var most : Profile.values()) {
      var less = caller.narrowed(most, null, "other");

      assertThat(less.profile().atMost(caller.profile())).isEqualTo(less.profile());
      assertThat(less.profile().atMost(most)).isEqualTo(less.profile());
      assertThat(less.boundTo()).isEqualTo(caller.boundTo());
      assertThat(less.principal()).isEqualTo("other");
      assertThat(less.isOwner() && !caller.isOwner()).isFalse();
    }
  }

  @Test
  void one_that_is_kept_to_a_session_is_its_caller_and_sees_no_other() {
    var bound = Caller.PERSON.narrowed(Profile.FULL_AUTO, BLUE, null);

    assertThat(bound.session()).isEqualTo(BLUE);
    assertThat(bound.sees(BLUE)).isTrue();
    assertThat(bound.sees(RED)).isFalse();
    assertThat(bound.isOwner()).isFalse();
    assertThatThrownBy(() -> bound.narrowed(Profile.FULL_AUTO, RED, null))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("blue");
  }

  @Test
  void a_token_for_another_session_widens_nothing() {
    var bound = Caller.PERSON.narrowed(Profile.FULL_AUTO, BLUE, null);
    var roaming = grant(Profile.FULL_AUTO, null);

    assertThat(bound.with(roaming).boundTo()).isEqualTo(BLUE);
    assertThat(bound.with(roaming).session()).isEqualTo(BLUE);
    assertForbidden(() -> bound.with(grant(Profile.FULL_AUTO, RED)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "task:0198c000-0000-7000-8000-000000000001", "a b", "a\nb", "é"})
  void a_principal_is_a_plain_name(String name) {
    assertThatThrownBy(() -> Caller.PERSON.narrowed(Profile.SAFE, null, name))
        .isInstanceOfSatisfying(
            ErrandException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  @Test
  void who_was_given_less_than_a_token_has_manages_no_tokens() {
    var grant = grant(Profile.FULL_AUTO, null);
    var own = Caller.REMOTE.with(grant);

    assertThat(own.tokenManager()).isEqualTo(new Tokens.Manager.Holder(grant));
    assertThat(Caller.PERSON.tokenManager()).isEqualTo(new Tokens.Manager.Owner("cli"));
    for (var caller : List.of(own, Caller.PERSON)) {
      assertForbidden(() -> caller.narrowed(Profile.SAFE, null, null).tokenManager());
      assertForbidden(() -> caller.narrowed(Profile.FULL_AUTO, BLUE, null).tokenManager());
    }
    assertForbidden(() -> own.narrowed(Profile.FULL_AUTO, null, "other").tokenManager());
    assertForbidden(() -> Caller.unknownTask(Profile.FULL_AUTO).tokenManager());
  }

  @Test
  void an_answer_reaches_no_more_than_its_caller() {
    var slots = new WaitSlots(1);
    var bound = Caller.PERSON.narrowed(Profile.FULL_AUTO, BLUE, null);
    var ask = Ask.of(bound, null, slots, _ -> {});

    assertThat(ask.reach()).isEqualTo(BLUE);
    assertForbidden(() -> ask.within(RED));
    assertThatThrownBy(() -> new Ask(bound, BLUE, null, null, slots, _ -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Ask(bound, BLUE, RED, null, slots, _ -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_key_that_looks_like_one_of_a_step_is_refused() {
    var key = new Ask.Key("scope", "mine\nspawn", null);

    assertThatThrownBy(() -> Ask.of(Caller.PERSON, key, new WaitSlots(1), _ -> {}))
        .isInstanceOfSatisfying(
            ErrandException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  private static Grant grant(Profile profile, @Nullable SessionId session) {
    var home = session == null ? new SessionId("token") : session;
    return new Grant("token", profile, session, home, "key", "cli", 1);
  }

  private static void assertForbidden(ThrowableAssert.ThrowingCallable asked) {
    assertThatThrownBy(asked)
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }
}
