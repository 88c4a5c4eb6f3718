package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
}
