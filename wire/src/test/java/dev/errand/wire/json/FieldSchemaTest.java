package dev.errand.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FieldSchemaTest {
  private static final FieldType.Form INNER =
      new FieldType.Form(
          "Inner", List.of(RequestField.of("x", new FieldType.Flag(), "m").needed()));
  private static final String INNER_SCHEMA =
      "{'type':'object','properties':{'x':{'type':'boolean','description':'m'}},"
          + "'required':['x'],'additionalProperties':false%s}";

  static Stream<Arguments> types() {
    return Stream.of(
        Arguments.of(new FieldType.Text(Integer.MAX_VALUE), "{'type':'string'%s}"),
        Arguments.of(new FieldType.Text(9), "{'type':'string','maxLength':9%s}"),
        Arguments.of(new FieldType.LongText(9), "{'type':'string'%s}"),
        Arguments.of(
            new FieldType.Name("[a-z]{1,9}", 9, "letters"),
            "{'type':'string','maxLength':9,'pattern':'^([a-z]{1,9})$'%s}"),
        Arguments.of(new FieldType.Word("a", "b"), "{'type':'string','enum':['a','b']%s}"),
        Arguments.of(
            new FieldType.WordOrFlag(List.of("a")),
            "{'anyOf':[{'type':'boolean'},{'type':'string','enum':['a']}]%s}"),
        Arguments.of(new FieldType.Flag(), "{'type':'boolean'%s}"),
        Arguments.of(new FieldType.Whole(1, 9), "{'type':'integer','minimum':1,'maximum':9%s}"),
        Arguments.of(
            new FieldType.Seconds(Duration.ofSeconds(1), Duration.ofMinutes(1)),
            "{'type':'number','minimum':1,'maximum':60%s}"),
        Arguments.of(
            new FieldType.Timeout(Duration.ofSeconds(1)), "{'type':'number','minimum':1%s}"),
        Arguments.of(
            new FieldType.Texts(3), "{'type':'array','items':{'type':'string'},'maxItems':3%s}"),
        Arguments.of(new FieldType.Arguments(9), "{'type':'array','items':{'type':'string'}%s}"),
        Arguments.of(new FieldType.Variables(1, 9), "{'type':'object'%s}"),
        Arguments.of(new FieldType.OpenForm(INNER), "{'type':'object'%s}"),
        Arguments.of(INNER, INNER_SCHEMA),
        Arguments.of(
            new FieldType.Forms(INNER, 2),
            "{'type':'array','items':" + INNER_SCHEMA.formatted("") + ",'maxItems':2%s}"));
  }

  @ParameterizedTest
  @MethodSource("types")
  void each_type_has_its_schema(FieldType type, String due) {
    var schema = FieldSchema.of(RequestField.of("f", type, "what it is"));

    assertThat(Json.text(schema))
        .isEqualTo(due.formatted(",'description':'what it is'").replace('\'', '"'));
  }

  @Test
  void a_form_within_a_form_may_be_referred_to() {
    var outer =
        new FieldType.Form(
            "Outer", List.of(RequestField.of("in", new FieldType.Forms(INNER, 2), "several")));

    var schema =
        FieldSchema.of(outer, it -> JsonWriter.tree(ref -> ref.text("$ref", "#/" + it.name())));

    assertThat(schema.at("/properties/in/items/$ref").stringValue("")).isEqualTo("#/Inner");
  }
}
