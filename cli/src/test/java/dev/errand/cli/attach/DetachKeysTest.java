package dev.errand.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class DetachKeysTest {
  private final DetachKeys keys = DetachKeys.of(DetachKeys.DEFAULT);

  private DetachKeys.Typed typed(String text) {
    var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return keys.take(bytes, bytes.length);
  }

  private static String forTask(DetachKeys.Typed typed) {
    return new String(typed.forTask(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void what_is_typed_goes_to_the_task_as_it_is() {
    assertThat(forTask(typed("ls -l\r\u0003\u001b[A"))).isEqualTo("ls -l\r\u0003\u001b[A");
  }

  @Test
  void the_two_keys_detach_and_what_was_typed_before_them_still_goes() {
    var typed = typed("bye\u001dd and this is for nobody");
    assertThat(typed.detach()).isTrue();
    assertThat(forTask(typed)).isEqualTo("bye");
  }

  @Test
  void the_two_keys_may_come_in_two_reads() {
    assertThat(typed("\u001d").detach()).isFalse();
    assertThat(typed("d").detach()).isTrue();
  }

  @Test
  void the_first_key_twice_is_that_key_and_before_any_other_it_goes_along() {
    assertThat(forTask(typed("\u001d\u001d"))).isEqualTo("\u001d");
    assertThat(forTask(typed("\u001dx"))).isEqualTo("\u001dx");
    assertThat(typed("d").detach()).isFalse();
  }

  @Test
  void a_question_mark_asks_for_help_and_is_not_typed() {
    var typed = typed("a\u001d?b");
    assertThat(typed.help()).isTrue();
    assertThat(forTask(typed)).isEqualTo("ab");
    assertThat(keys.help()).contains("C-] d detaches", "C-] C-] sends");
  }

  @Test
  void other_keys_can_be_chosen_if_each_is_one_byte() {
    var chosen = DetachKeys.of(" C-p  C-q ");
    assertThat(chosen.take(new byte[] {16, 17}, 2).detach()).isTrue();
    assertThatThrownBy(() -> DetachKeys.of("C-]")).hasMessageContaining("two");
    assertThatThrownBy(() -> DetachKeys.of("Up d")).hasMessageContaining("one byte");
    assertThatThrownBy(() -> DetachKeys.of("nonsense d")).hasMessageContaining("C-] d");
  }
}
