package dev.errand.wire.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text and tree say the same. */
final class JsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "2147483648",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-123456789012345678901234567890",
        "0.1",
        "12345678901234567890.123456789"
      })
  void a_number_is_written_as_it_was_read(String number) {
    assertThat(Json.text(Json.read(number.getBytes(UTF_8)))).isEqualTo(number);
  }

  @Test
  void numbers_of_one_value_are_equal_whatever_their_size() {
    assertThat(Json.read("[1]".getBytes(UTF_8)).path(0)).isEqualTo(Json.read(" 1".getBytes(UTF_8)));
  }
}
