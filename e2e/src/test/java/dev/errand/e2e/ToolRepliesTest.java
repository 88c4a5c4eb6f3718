package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What a model is shown: bounded, without anything twice, and enough by itself. */
@Timeout(300)
@DaemonCase.Settings("[tasks]\nmax_concurrent_per_session = 20\n")
final class ToolRepliesTest extends DaemonCase {
  private static final int BUDGET = 16_384;
  private static final int SHORT_ID = 18;

  /** Content that is longer must not stand in an answer twice. */
  private static final int CONTENT_CHARS = 300;

  private static final Pattern CALL = Pattern.compile("(\\w+)\\(((?:\\w+: [^()]*)?)\\)");

  /** What tasks write: nothing, little, and what has broken answers before. */
  private static Map<String, String> commands() {
    var commands = new LinkedHashMap<String, String>();
    commands.put("nothing", "true");
    commands.put("one line", "echo hello");
    commands.put("3 MB", "seq 1 430000; echo the last error >&2; exit 3");
    commands.put("one line of 100 MB", "head -c 100000000 /dev/zero | tr '\\0' x");
    commands.put(
        "a progress bar", "for i in $(seq 30000); do printf 'at %d\\r' $i; done; echo done");
    commands.put(
        "all values of a byte",
        "for i in {1..40}; do printf \"$(printf '\\\\x%x' {0..255})$i\"; done");
    commands.put("a command of 128 KiB", "echo it ran # " + "x".repeat(130_900));
    return commands;
  }

  static List<String> kinds() {
    return List.copyOf(commands().keySet());
  }

  private static JsonNode answer(String tool, String arguments) {
    var body = arguments.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return client.tools().call(tool, body).node();
  }

  private static String text(JsonNode answer) {
    return answer.path("text").stringValue("");
  }

  private static TaskId ended(String command) {
    var arguments = Json.read("{\"description\":\"d\"}".getBytes(StandardCharsets.UTF_8));
    ((tools.jackson.databind.node.ObjectNode) arguments).put("command", command);
    var launched =
        client.tools().call("background_task", Json.bytes(arguments)).object("structured");
    var taskId = new TaskId(launched.text("id"));
    client.waitEnd(taskId, Sandbox.PATIENCE);
    return taskId;
  }

  /** Calls of every tool that tells of one task; {@code %s} is its id. */
  private static Map<String, String> calls() {
    var calls = new LinkedHashMap<String, String>();
    calls.put("task_status", "{'task_id':'%s'}");
    calls.put("task_list", "{'limit':100}");
    calls.put("task_join", "{'task_id':'%s'}");
    calls.put("task_wait", "{'task_id':'%s'}");
    calls.put("task_kill", "{'task_id':'%s'}");
    calls.put("task_digest", "{}");
    calls.put("task_output", "{'task_id':'%s'}");
    calls.put("task_output ", "{'task_id':'%s','cursor':'0'}");
    calls.put("task_output  ", "{'task_id':'%s','from_line':1,'lines':1000}");
    calls.put("task_search_output", "{'task_id':'%s','pattern':'[0-9x]','limit':100,'context':5}");
    calls.put("background_output", "{'task_id':'%s'}");
    calls.put("background_list", "{'limit':100}");
    calls.put("background_cancel", "{'task_id':'%s'}");
    calls.put("shell", "{'action':'poll','run_id':'%s'}");
    calls.put("shell ", "{'action':'poll','run_id':'%s','since_seq':0}");
    calls.put("shell  ", "{'action':'log','run_id':'%s'}");
    calls.put("shell   ", "{'action':'log','run_id':'%s','since_seq':0,'limit':500}");
    calls.put("shell    ", "{'action':'log','run_id':'%s','cursor':'0'}");
    calls.put("shell     ", "{'action':'kill','run_id':'%s'}");
    calls.put("tool_task_status", "{'task_id':'%s'}");
    calls.put("tool_task_cancel", "{'task_id':'%s'}");
    calls.put("tool_task_stream_events", "{'task_id':'%s','limit':500}");
    calls.put("tool_output_fetch", "{'id':'%s.stdout'}");
    return calls;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void every_reply_has_its_budget_and_nothing_twice(String kind) {
    var taskId = ended(commands().get(kind));

    for (var call : calls().entrySet()) {
      var tool = call.getKey().strip();
      for (var budget : List.of(BUDGET, 2_000)) {
        var arguments = call.getValue().formatted(taskId.value());
        var more = budget == BUDGET ? "" : (arguments.equals("{}") ? "" : ",") + "'max_chars':2000";
        var answer = answer(tool, arguments.substring(0, arguments.length() - 1) + more + "}");
        check(kind + ": " + tool + " " + arguments, answer, budget);
      }
      if (!List.of("task_list", "background_list", "task_digest").contains(tool)) {
        var text = text(answer(tool, call.getValue().formatted(taskId.value())));
        // Frames and ranges of bytes are for programs.
        if (!tool.equals("tool_output_fetch") && !call.getValue().contains("log")) {
          assertThat(text).as(kind + ": " + tool).contains(taskId.value().substring(0, SHORT_ID));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void a_command_that_is_waited_for_is_answered_within_the_budget(String kind) {
    var arguments = Json.read("{}".getBytes(StandardCharsets.UTF_8));
    ((tools.jackson.databind.node.ObjectNode) arguments).put("command", commands().get(kind));
    var answer = client.tools().call("shell", Json.bytes(arguments)).node();

    check(kind, answer, BUDGET);
    if (kind.equals("3 MB")) {
      assertThat(text(answer)).startsWith("1\n2\n").contains("430000\n[stderr]\nthe last error");
      assertThat(text(answer)).contains("bytes of stdout left out", "failed, exit code 3");
      assertThat(answer.path("is_error").booleanValue()).isTrue();
    }
    if (kind.equals("a progress bar")) {
      assertThat(text(answer)).contains("done").doesNotContain("at 15000");
    }
  }

  private static void check(String what, JsonNode answer, int budget) {
    var structured = answer.path("structured");
    assertThat(text(answer).length()).as("text of " + what).isLessThanOrEqualTo(budget);
    var json = Json.text(structured);
    assertThat(json.length()).as("structured answer of " + what).isLessThanOrEqualTo(budget);
    assertThat(text(answer)).as(what).doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]");
    var texts = new ArrayList<String>();
    // Frames are passed on as they are recorded.
    if (!what.contains("stream_events")) {
      walk(structured, what, texts);
    }
    for (var each : texts) {
      if (each.length() > CONTENT_CHARS) {
        assertThat(texts.stream().filter(it -> it.contains(each)).count())
            .as("content of " + what + " stands there twice")
            .isEqualTo(1);
      }
    }
  }

  private static void walk(JsonNode node, String what, List<String> texts) {
    assertThat(node.isNull()).as(what + " has a null: " + node).isFalse();
    if (node.isContainer()) {
      for (var inner : node) {
        assertThat(inner.isContainer() && inner.isEmpty())
            .as(what + " has an empty part: " + node)
            .isFalse();
        walk(inner, what, texts);
      }
    } else if (node.isString()) {
      texts.add(node.stringValue());
    }
  }

  @Test
  void texts_alone_lead_through_three_megabytes_exactly() {
    var expected = new StringBuilder();
    for (var i = 1; i <= 430_000; i++) {
      expected.append(i).append('\n');
    }
    var taskId = ended("seq 1 430000");
    for (var first :
        List.of(
            call("task_status", "{'task_id':'%s'}".formatted(taskId.value()), "task_output"),
            "shell(action: \"log\", run_id: \"" + taskId.value() + "\", cursor: \"0\")")) {
      assertThat(followed(first)).isEqualTo(expected.toString());
    }
  }

  /** The call of that tool which an answer names. */
  private static String call(String tool, String arguments, String named) {
    return CALL.matcher(text(answer(tool, arguments)))
        .results()
        .filter(it -> it.group(1).equals(named))
        .findFirst()
        .orElseThrow()
        .group();
  }

  /**
   * Reads on by the calls that texts name, and joins what stands between their first and last line.
   */
  private static String followed(String first) {
    var written = new StringBuilder();
    var next = first;
    while (next != null) {
      var call = parsed(next);
      var text = text(answer(call.group(1), arguments(call.group(2))));
      var isLast = !text.contains("\n[more: ");
      var from = text.indexOf('\n') + 1;
      var to = isLast ? text.length() : text.lastIndexOf('\n') + 1;
      written.append(text, from, to);
      next = isLast ? null : text.substring(to + "[more: ".length(), text.length() - 1);
    }
    return written.toString();
  }

  private static Matcher parsed(String call) {
    var matcher = CALL.matcher(call);
    assertThat(matcher.matches()).as(call).isTrue();
    return matcher;
  }

  /** {@code name: value} as JSON. */
  private static String arguments(String named) {
    return "{" + named.replaceAll("(\\w+): ", "\"$1\": ") + "}";
  }

  @Test
  void an_ambiguous_beginning_of_an_id_is_answered_with_those_it_may_mean() {
    var one = ended("true");
    var label = answer("task_spawn", "{'command':'true','label':'other','wait_ms':30000}");
    var prefix = one.value().substring(0, 4);

    var refusal =
        org.assertj.core.api.Assertions.catchThrowable(
            () -> answer("task_status", "{'task_id':'" + prefix + "'}"));

    assertThat(label.path("structured").path("status").stringValue("")).isEqualTo("completed");
    assertThat(refusal).hasMessageContaining("several task ids start with " + prefix);
    assertThat(text(answer("task_status", "{'task_id':'" + one.value().substring(0, 18) + "'}")))
        .contains(one.value().substring(0, 18));
  }

  @Test
  void the_sets_stay_small_and_their_schemas_plain() {
    var agent = client.tools().list("agent");
    assertThat(agent).hasSize(8);
    var chars = 0;
    for (var tool : agent) {
      chars += tool.text("name").length() + tool.text("description").length();
      chars += Json.text(tool.node().path("input_schema")).length();
    }
    assertThat(chars).isLessThanOrEqualTo(6_000);
    for (var tool : client.tools().list("all")) {
      assertThat(tool.text("name")).matches("[a-zA-Z0-9_-]{1,64}");
      plain(tool.text("name"), tool.node().path("input_schema"));
      assertThat(tool.node().path("annotations")).hasSize(4);
    }
  }

  private static void plain(String tool, JsonNode schema) {
    assertThat(schema.path("type").isArray()).as(tool + ": " + schema).isFalse();
    var kinds = schema.path("enum").valueStream().map(JsonNode::getNodeType).distinct().count();
    assertThat(kinds).as(tool + ": " + schema).isLessThanOrEqualTo(1);
    for (var bound : List.of("minimum", "maximum")) {
      assertThat(Math.abs(schema.path(bound).doubleValue(0))).isLessThanOrEqualTo((1L << 53) - 1);
    }
    schema.path("properties").forEach(it -> plain(tool, it));
    schema.path("anyOf").forEach(it -> plain(tool, it));
    if (schema.has("items")) {
      plain(tool, schema.path("items"));
    }
  }
}
