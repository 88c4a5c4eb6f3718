package dev.errand.daemon.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class DiskSpaceTest {
  private static final Path HOME = Path.of("home");

  @Test
  void nothing_new_is_accepted_below_the_floor_and_the_reason_names_it() {
    var little = new DiskSpace(HOME, () -> DiskSpace.NEW_BYTES_MIN - 1);

    assertThat(new DiskSpace(HOME, () -> DiskSpace.NEW_BYTES_MIN).shortage()).isEmpty();
    assertThat(little.shortage().orElseThrow()).contains("below 32 MiB", "free some space");
    assertThat(little.startShortage()).isEmpty();
    assertThatThrownBy(little::check)
        .isInstanceOfSatisfying(
            ErrandException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.INSUFFICIENT_STORAGE));
  }

  @Test
  void no_daemon_starts_on_a_full_disk() {
    var none = new DiskSpace(HOME, () -> 0);

    assertThat(none.startShortage().orElseThrow()).contains("0 MiB free", "needs 4 MiB");
    assertThatThrownBy(none::checkStart).hasMessageContaining("home is full");
  }

  @Test
  void a_disk_that_cannot_be_asked_counts_as_full() {
    var unknown =
        new DiskSpace(
            HOME,
            () -> {
              throw new IOException("stale file handle");
            });

    assertThat(unknown.shortage().orElseThrow()).contains("stale file handle");
  }
}
