package dev.errand.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who waits for input is told by the kernel; a process without a terminal is nobody. */
final class TerminalReaderTest {

  @Test
  void the_number_of_a_terminal_is_read_from_its_device() {
    assertThat(TerminalReader.minor(0x8803)).isEqualTo(3);
    assertThat(TerminalReader.minor(0x88ff)).isEqualTo(255);
    assertThat(TerminalReader.minor(0x108800)).isEqualTo(256);
  }

  @Test
  void a_process_that_is_gone_reads_nothing() {
    assertThat(TerminalReader.of(Integer.MAX_VALUE)).isEmpty();
  }
}
