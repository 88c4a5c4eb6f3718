package dev.errand.wire.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class StartEnvironmentTest {

  @Test
  void a_locale_that_only_the_launcher_set_is_taken_back() {
    var own = Map.of("LC_ALL", "C.UTF-8", "ERRAND_LC_ALL", "", "PATH", "/bin");
    assertThat(StartEnvironment.of(own)).isEqualTo(Map.of("PATH", "/bin"));

    var replaced = Map.of("LC_ALL", "C.UTF-8", "ERRAND_LC_ALL", "C");
    assertThat(StartEnvironment.of(replaced)).isEqualTo(Map.of("LC_ALL", "C"));

    var given = Map.of("LC_ALL", "de_DE.UTF-8");
    assertThat(StartEnvironment.of(given)).isEqualTo(given);
  }
}
