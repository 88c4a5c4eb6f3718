package dev.errand.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.CharacterCodingException;
import org.junit.jupiter.api.Test;

final class TypedArgumentsTest {

  @Test
  void words_are_the_last_of_the_line_as_they_were_typed() throws Exception {
    var line = "java\0-cp\0run\0\0äö€ \uFFFD\0".getBytes(UTF_8);

    assertThat(TypedArguments.last(3, line)).containsExactly("run", "", "äö€ \uFFFD");
    assertThat(TypedArguments.last(0, line)).isEmpty();
    assertThat(TypedArguments.asTyped(new String[] {"run", "ä"}))
        .hasValueSatisfying(it -> assertThat(it).containsExactly("run", "ä"));
  }

  @Test
  void what_is_not_utf_8_is_not_taken() {
    var line = "java\0a\u00ffb\0".getBytes(ISO_8859_1);

    assertThatThrownBy(() -> TypedArguments.last(1, line))
        .isInstanceOf(CharacterCodingException.class);
  }
}
