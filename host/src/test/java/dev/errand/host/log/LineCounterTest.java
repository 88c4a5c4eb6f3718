package dev.errand.host.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineCounterTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void as_many_are_counted_as_there_are(long seed) {
    var random = new Random(seed);
    for (var round = 0; round < 500; round++) {
      var buffer = new byte[random.nextInt(200)];
      random.nextBytes(buffer);
      for (var i = 0; i < buffer.length; i++) {
        // Its neighbours in value are the ones that a trick with bits would confuse it with.
        buffer[i] = random.nextInt(3) == 0 ? (byte) ('\n' + random.nextInt(3) - 1) : buffer[i];
      }
      var count = random.nextInt(buffer.length + 1);
      var due = 0;
      for (var i = 0; i < count; i++) {
        due += buffer[i] == '\n' ? 1 : 0;
      }
      assertThat(LineCounter.count(buffer, count)).isEqualTo(due);
    }
  }
}
