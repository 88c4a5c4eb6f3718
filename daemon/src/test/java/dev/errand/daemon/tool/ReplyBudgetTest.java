package dev.errand.daemon.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An answer stays within its budget, whatever a tool makes of it. */
final class ReplyBudgetTest {
  private static final ReplyForm USUAL = new ReplyForm(ReplyForm.CHARS_DEFAULT, false);

  private static ObjectNode object(String json) {
    return (ObjectNode) Json.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_long_text_keeps_its_head_and_its_tail_at_the_borders_of_lines() {
    var text = "line\n".repeat(1_000);

    var fitted = ReplyText.fit(text, 1_000, "read it by pages");

    assertThat(fitted).hasSizeLessThanOrEqualTo(1_000).startsWith("line\n").endsWith("line\n");
    assertThat(fitted)
        .containsPattern("\nline\n\\[… [\\d,]+ characters left out; read it by pages]\nline");
    assertThat(ReplyText.fit("short", 1_000, "")).isEqualTo("short");
    assertThat(ReplyText.fit("😀".repeat(1_000), 1_000, "")).doesNotContainPattern("\\p{Cs}");
  }

  @Test
  void a_structured_answer_says_nothing_of_what_is_not_there() {
    var answer =
        object("{'a':null,'b':[],'c':{},'d':{'e':null,'f':1},'g':[{'h':null,'i':2}],'j':''}");

    ReplyJson.fit(answer, 1_000);

    assertThat(Json.text(answer)).isEqualTo("{\"d\":{\"f\":1},\"g\":[{\"i\":2}],\"j\":\"\"}");
  }

  @Test
  void a_structured_answer_that_is_too_long_is_cut_and_says_so() {
    var answer = object("{'id':'x'}");
    answer.put("long", "\u0001".repeat(20_000)).put("other", "y".repeat(9_000));
    var list = answer.putArray("list");
    for (var i = 0; i < 500; i++) {
      list.add(JsonNodeFactory.instance.objectNode().put("n", i));
    }

    ReplyJson.fit(answer, 2_000);

    assertThat(Json.text(answer)).hasSizeLessThanOrEqualTo(2_000);
    assertThat(answer.path("id").stringValue("")).isEqualTo("x");
    assertThat(answer.path("cut").booleanValue(false)).isTrue();
  }

  @Test
  void a_call_may_ask_for_another_budget_within_bounds() {
    var arguments = object("{'max_chars':2000,'x':1}");

    assertThat(ReplyForm.of(arguments, USUAL).charsMax()).isEqualTo(2_000);
    assertThat(arguments.has("max_chars")).isFalse();
    assertThat(ReplyForm.of(object("{}"), USUAL)).isEqualTo(USUAL);
    for (var wrong : new String[] {"10", "65537", "'many'", "2000.5"}) {
      assertThatThrownBy(() -> ReplyForm.of(object("{'max_chars':" + wrong + "}"), USUAL))
          .isInstanceOf(ErrandException.class)
          .hasMessageContaining("from 1024 to 65536");
    }
  }
}
