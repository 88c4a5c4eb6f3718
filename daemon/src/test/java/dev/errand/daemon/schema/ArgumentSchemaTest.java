package dev.errand.daemon.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.errand.core.error.ErrandException;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class ArgumentSchemaTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          {"properties":{"n":{"minimum":3}}} | {"n":2} | args.n breaks the rule "minimum": 3
          {"properties":{"n":{"multipleOf":5}}} | {"n":7} | args.n breaks the rule "multipleOf": 5
          {"properties":{"s":{"pattern":"^[a-z]+$"}}} | {"s":"A"} | args.s breaks the rule "pattern": "^[a-z]+$"
          {"properties":{"s":{"maxLength":2}}} | {"s":"abc"} | args.s breaks the rule "maxLength": 2
          {"properties":{"s":{"format":"date"}}} | {"s":"soon"} | args.s breaks the rule "format": "date"
          {"properties":{"s":{"format":"date-time"}}} | {"s":"2026-11-18"} | args.s breaks the rule "format": "date-time"
          {"properties":{"s":{"format":"uuid"}}} | {"s":"x"} | args.s breaks the rule "format": "uuid"
          {"properties":{"x":{"oneOf":[{"type":"string"},{"type":"null"}]}}} | {"x":1} | args.x breaks the rule "oneOf": [{"type":"string"},{"type":"null"}]
          {"properties":{"x":{"anyOf":[{"required":["a"]},{"properties":{"b":{"type":"null"}},"required":["b"]}]}}} | {"x":{"b":1}} | args.x breaks the rule "anyOf": [{"required":["a"]},{"properties":{"b":{"type":"null"}},"required":["b"]}]
          {"properties":{"x":{"not":{"type":"string"}}}} | {"x":"a"} | args.x breaks the rule "not": {"type":"string"}
          {"properties":{"x":{"const":1}}} | {"x":2} | args.x breaks the rule "const": 1
          {"properties":{"x":{"enum":[1,2]}}} | {"x":3} | args.x must be one of [1,2]
          {"properties":{"x":{"items":{"type":"integer"}}}} | {"x":[1,"a"]} | args.x[1] must be of the type "integer"
          {"properties":{"x":{"uniqueItems":true}}} | {"x":[1,1]} | args.x breaks the rule "uniqueItems": true
          {"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"maximum":1}}} | {"x":2} | args.x breaks the rule "maximum": 1
          {"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"properties":{"y":true},"additionalProperties":false}}} | {"x":{"z":1}} | there is no args.x.z; known are y
          {"properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}} | {"a":1} | args breaks the rule "dependentRequired": {"a":["b"]}
          {"patternProperties":{"^n_":{"type":"integer"}}} | {"n_1":"x"} | args.n_1 must be of the type "integer"
          {"properties":{"x":false}} | {"x":1} | args.x is not allowed
          {"$schema":"http://json-schema.org/draft-07/schema#","properties":{"x":{"minimum":3}}} | {"x":1} | args.x breaks the rule "minimum": 3
          {"required":["x"]} | {} | args.x is missing
          {"type":"object"} | [] | args must be of the type "object"
          """)
  void a_broken_rule_is_told_with_its_place_and_what_it_expects(
      String schema, String arguments, String message) throws WrongSchemaException {
    var read = ArgumentSchema.of(tree(schema));

    assertThatThrownBy(() -> read.check("args", json(arguments)))
        .isInstanceOf(ErrandException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          {"properties":{"n":{"minimum":"3"}}} | schema.properties.n.minimum must be of the type
          {"properties":{"n":{"type":"number","required":true}}} | schema.properties.n.required must be of the type
          {"properties":{"n":{"type":"text"}}} | schema.properties.n.type breaks the rule "anyOf"
          {"properties":{"s":{"pattern":"(a"}}} | schema.properties.s.pattern breaks the rule "format": "regex"
          {"properties":{"s":{"pattern":"(?=a)b"}}} | schema.properties.s.pattern breaks the rule "format": "regex"
          {"properties":{"s":{"pattern":"((a{50}){50}){50}"}}} | schema.properties.s.pattern breaks the rule "format": "regex"
          {"properties":{"s":{"format":"colour"}}} | there is no format "colour"; there are [date, date-time,
          {"properties":{"s":{"$ref":"#/$defs/none"}}} | cannot be resolved
          {"properties":{"s":{"$ref":"#none"}}} | cannot be resolved
          {"properties":{"s":{"$ref":"https://example.com/x"}}} | is not allowed to be loaded
          {"properties":{"s":{"$ref":"file:///etc/passwd"}}} | is not allowed to be loaded
          {"properties":{"s":{"$ref":"classpath:/logging.properties"}}} | is not allowed to be loaded
          {"$schema":"https://example.com/own"} | $schema names no draft
          """)
  void a_wrong_schema_is_refused_when_it_is_read(String schema, String message) {
    assertThatThrownBy(() -> ArgumentSchema.of(tree(schema)))
        .isInstanceOf(WrongSchemaException.class)
        .hasMessageContaining(message);
  }

  @Test
  void no_schema_is_fetched_from_elsewhere() throws IOException {
    var asked = new AtomicInteger();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    server.start();
    var address = "http://localhost:" + server.getAddress().getPort() + "/";
    try {
      for (var schema :
          new String[] {
            "{\"$ref\":\"%sa\"}",
            "{\"properties\":{\"x\":{\"$ref\":\"%sb#/c\"}}}",
            "{\"$id\":\"%sroot\",\"$ref\":\"other\"}",
            "{\"$dynamicRef\":\"%sd#e\"}",
            "{\"$schema\":\"%sf\"}",
            "{\"properties\":{\"x\":{\"$schema\":\"%sg\"}}}"
          }) {
        assertThat(catchThrowable(() -> ArgumentSchema.of(tree(schema.formatted(address)))))
            .as(schema)
            .isInstanceOf(WrongSchemaException.class);
      }
    } finally {
      server.stop(0);
    }
    assertThat(asked).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a+)+$", "(a|aa)+$", "(.*a){12}$", "(a?){50}a{50}$", "([a-z]+)*X"})
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void no_pattern_takes_more_than_time_in_proportion_to_the_text(String pattern)
      throws WrongSchemaException {
    var read = ArgumentSchema.of(of("s", "pattern", pattern));
    var names = JsonNodeFactory.instance.objectNode();
    names.putObject("patternProperties").putObject(pattern);

    assertThatThrownBy(() -> read.check("args", text("s", "a".repeat(100_000) + "!")))
        .hasMessageContaining("breaks the rule \"pattern\"");
    ArgumentSchema.of(names).check("args", text("a".repeat(100_000) + "!", "x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "idn-email",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "iri",
        "iri-reference",
        "json-pointer",
        "regex",
        "relative-json-pointer",
        "time",
        "uri",
        "uri-reference",
        "uri-template",
        "uuid"
      })
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void no_format_takes_long(String format) throws WrongSchemaException {
    var read = ArgumentSchema.of(of("s", "format", format));
    var parts =
        List.of(
            " ", "a", "1", "a.", "a@", "/a", ":", "::1", "{a", "%", "P1", "~0", "\u00e9", "(a{9})");

    for (var part : parts) {
      for (var length : List.of(ShortFormat.CHARS_MAX, 100_000)) {
        var value = part.repeat(length / part.length()) + "\u0001";
        assertThatThrownBy(() -> read.check("args", text("s", value)))
            .as(part + " " + length)
            .isInstanceOf(ErrandException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\":\"#\"}",
        "{\"allOf\":[{\"$ref\":\"#\"}]}",
        "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}"
      })
  void a_schema_that_leads_back_to_itself_ends(String schema) throws WrongSchemaException {
    var read = ArgumentSchema.of(tree(schema));

    assertThatThrownBy(() -> read.check("args", json("{}"))).hasMessageContaining("steps deep");
  }

  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void a_schema_that_doubles_its_work_with_each_level_ends() throws WrongSchemaException {
    var branch = "{\"properties\":{\"x\":{\"$ref\":\"#\"}},\"required\":[\"y\"]}";
    var read = ArgumentSchema.of(tree("{\"oneOf\":[%s,%s]}".formatted(branch, branch)));

    var arguments = "{\"x\":".repeat(60) + "{}" + "}".repeat(60);

    assertThatThrownBy(() -> read.check("args", json(arguments))).hasMessageContaining("steps");
  }

  @Test
  void what_keeps_to_the_schema_passes() throws WrongSchemaException {
    var tree =
        tree(
            "{\"properties\":{\"x\":{\"$ref\":\"#\"},\"n\":{\"type\":\"integer\"}},\"maxProperties\":2}");
    var list = tree("{\"properties\":{\"l\":{\"items\":{\"type\":\"integer\",\"minimum\":0}}}}");

    ArgumentSchema.of(tree).check("args", json("{\"x\":".repeat(60) + "{}" + "}".repeat(60)));
    ArgumentSchema.of(list).check("args", json("{\"l\":[" + "1,".repeat(60_000) + "1]}"));
    ArgumentSchema.of(of("n", "x-unit", "metre")).check("args", json("{\"n\":1}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e99999999", "1e-99999999", "123456789012345678901234567890"})
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void a_huge_number_is_an_answer_like_any_other(String number) throws WrongSchemaException {
    var read =
        ArgumentSchema.of(
            tree("{\"properties\":{\"n\":{\"multipleOf\":0.7,\"minimum\":5,\"maximum\":7}}}"));

    assertThatThrownBy(() -> read.check("args", json("{\"n\":" + number + "}")))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("args");
  }

  private static ObjectNode of(String field, String rule, String value) {
    var schema = JsonNodeFactory.instance.objectNode();
    schema.putObject("properties").putObject(field).put(rule, value);
    return schema;
  }

  private static JsonNode text(String field, String value) {
    return JsonNodeFactory.instance.objectNode().put(field, value);
  }

  private static ObjectNode tree(String text) {
    return (ObjectNode) json(text);
  }

  private static JsonNode json(String text) {
    return Json.readRequest(text.getBytes(StandardCharsets.UTF_8));
  }
}
