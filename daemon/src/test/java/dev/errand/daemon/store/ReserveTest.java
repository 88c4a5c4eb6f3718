package dev.errand.daemon.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReserveTest {

  @Test
  void it_is_given_up_once_and_made_again_when_asked_for(@TempDir Path folder) throws Exception {
    var file = folder.resolve("reserve");
    var reserve = new Reserve(file);
    assertThat(reserve.release()).as("there is none yet").isFalse();

    assertThat(reserve.hold()).isTrue();
    assertThat(Files.size(file)).isEqualTo(8 << 20);
    assertThat(reserve.release()).isTrue();
    assertThat(file).doesNotExist();
    assertThat(reserve.release()).isFalse();
    assertThat(reserve.hold()).isTrue();
    assertThat(new Reserve(file).hold()).as("found again after a restart").isTrue();
  }

  @Test
  void where_there_is_no_room_nothing_is_held_and_nothing_is_left(@TempDir Path folder) {
    var file = folder.resolve("no-such-folder").resolve("reserve");

    assertThat(new Reserve(file).hold()).isFalse();
    assertThat(file).doesNotExist();
  }
}
