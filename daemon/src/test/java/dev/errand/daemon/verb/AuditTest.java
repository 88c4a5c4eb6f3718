package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.surface.http.AuditLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A line of the audit is one line of five words, whatever somebody is called or names. */
final class AuditTest {
  private static Caller named(String principal) {
    var session = new SessionId("s");
    var peer = new Caller.Peer.Local();
    return new Caller(principal, session, Profile.FULL_AUTO, peer, null, null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\ncli unix cancel b -> ok",
        "a\rb",
        "a -> ok",
        "a\u2028b",
        "a\u2029b",
        "a\u0085b",
        "a\u202Eb",
        "a\u001B[2Kb",
        "a\uD83Db",
        "a\u200Bb"
      })
  void no_name_breaks_a_line_or_adds_a_word_to_it(String name) {
    try (var audit = new AuditLines()) {
      Audit.controlled(named(name), "cancel", name, name);

      var words = audit.lines().getFirst().split(" ", -1);
      assertThat(words).hasSize(6);
      assertThat(words[1]).isEqualTo("unix");
      assertThat(words[2]).isEqualTo("cancel");
      assertThat(words[4]).isEqualTo("->");
      for (var i : new int[] {0, 3, 5}) {
        assertThat(words[i]).startsWith("a").matches("[\\x21-\\x7e]+");
      }
    }
  }

  @Test
  void a_long_name_is_cut() {
    try (var audit = new AuditLines()) {
      Audit.controlled(named("cli"), "cancel", "x".repeat(10_000), "ok");

      assertThat(audit.lines().getFirst()).hasSizeLessThan(300).endsWith("x… -> ok");
    }
  }
}
