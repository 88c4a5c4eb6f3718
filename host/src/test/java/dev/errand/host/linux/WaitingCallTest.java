package dev.errand.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel shows of a sleeping thread, with the numbers of x86. */
final class WaitingCallTest {

  @BeforeEach
  void the_numbers_are_those_of_x86() {
    assumeTrue("amd64".equals(System.getProperty("os.arch")), "the numbers of calls on x86");
  }

  @Test
  void a_read_is_known_with_its_descriptor() {
    var call = call("0 0x5 0x7ffc 0x400 0x0 0x0 0x0 0x7ffe 0x7f00");

    assertThat(call.isRead()).isTrue();
    assertThat(call.argument(0)).isEqualTo(5);
    assertThat(call.isWait()).isFalse();
  }

  @Test
  void a_wait_without_a_time_lasts_for_ever() {
    assertThat(call("281 0xd 0x7f 0x400 0xffffffff 0x0 0x8 0x7ffe 0x7f00").isTimed()).isFalse();
    assertThat(call("7 0x7ffc 0x1 0xffffffffffffffff 0x0 0x0 0x0 0x1 0x2").isTimed()).isFalse();
    assertThat(call("270 0x1 0x7ffc 0x0 0x0 0x0 0x7f 0x1 0x2").isTimed()).isFalse();
  }

  @Test
  void a_wait_with_a_time_is_timed() {
    assertThat(call("281 0xd 0x7f 0x400 0x3e8 0x0 0x8 0x7ffe 0x7f00").isTimed()).isTrue();
    assertThat(call("7 0x7ffc 0x1 0x0 0x0 0x0 0x0 0x1 0x2").isTimed()).isTrue();
    assertThat(call("270 0x1 0x7ffc 0x0 0x0 0x7ffc508fbf20 0x7f 0x1 0x2").isTimed()).isTrue();
  }

  @Test
  void what_runs_or_stands_elsewhere_is_no_call() {
    assertThat(WaitingCall.of("running")).isNull();
    assertThat(WaitingCall.of("-1 0x7ffe 0x7f00")).isNull();
    assertThat(WaitingCall.of("")).isNull();
  }

  private static WaitingCall call(String text) {
    var call = Objects.requireNonNull(WaitingCall.of(text), text);
    assertThat(call.isRead() || call.isWait()).isTrue();
    return call;
  }
}
