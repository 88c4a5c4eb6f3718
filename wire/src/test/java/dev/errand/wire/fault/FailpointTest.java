package dev.errand.wire.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class FailpointTest {

  @Test
  void a_point_that_nobody_armed_does_nothing() {
    assertThatCode(Failpoint.JOURNAL_COMMIT::passOrFail).doesNotThrowAnyException();
    assertThat(ArmedFailpoint.of("host.log", "daemon.read=kill")).isNull();
    assertThat(ArmedFailpoint.of("host.log", "")).isNull();
  }

  @Test
  void an_armed_point_fails_once_at_the_pass_that_was_named() throws IOException {
    var charge =
        Objects.requireNonNull(ArmedFailpoint.of("host.log", "daemon.read=kill, host.log=error@3"));

    charge.pass();
    charge.pass();
    assertThatThrownBy(charge::pass).isInstanceOf(IOException.class);
    charge.pass();
  }

  @Test
  void what_cannot_be_understood_is_refused() {
    assertThatThrownBy(() -> ArmedFailpoint.words("host.log")).hasMessageContaining("name=kill@1");
    assertThatThrownBy(() -> ArmedFailpoint.of("host.log", "host.log=burn"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
