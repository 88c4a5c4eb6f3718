package dev.errand.wire.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text and tree say the same. */
final class JsonTest {

  @Test
  void trees_that_say_the_same_have_one_canonical_text() {
    var text = "{\"a\":[{\"x\":1,\"y\":null}],\"b\":{\"c\":\"d\",\"e\":1.50}}";
    var other = " {\"b\": {\"e\": 1.50, \"c\": \"d\"}, \"a\": [{\"y\": null, \"x\": 1}]}";

    assertThat(Json.canonical(Json.read(other.getBytes(UTF_8))))
        .isEqualTo(Json.canonical(Json.read(text.getBytes(UTF_8))));
  }

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

  /** Longer forms of a slash, half of a surrogate pair, what lies behind the last character. */
  @ParameterizedTest
  @ValueSource(strings = {"c0af", "e080af", "f08080af", "eda080", "f4908080", "ff", "c3"})
  void bytes_that_are_no_utf_8_are_no_request(String bytes) {
    var text = HexFormat.of().parseHex("22" + bytes + "22");
    assertThatThrownBy(() -> Json.readRequest(text))
        .isInstanceOf(ErrandException.class)
        .hasMessage("the body is not UTF-8, as all JSON is here; encode it so");
  }

  @Test
  void a_request_has_characters_of_any_length() {
    var text = "\"a \u00e9 \u20ac \ud83d\ude00\"";
    assertThat(Json.text(Json.readRequest(text.getBytes(UTF_8)))).isEqualTo(text);
  }
}
