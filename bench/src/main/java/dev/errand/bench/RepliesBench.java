package dev.errand.bench;

import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;

/** What a model is shown: characters of each answer and of each set, and how soon it is woken. */
final class RepliesBench implements Bench {
  private static final String COMMAND = "seq 1 430000; echo the last error >&2; exit 3";
  private static final int WAITS = 200;
  private static final double WAKE_MS_MAX = 5;

  @Override
  public String what() {
    return "characters of sets of tools, of answers about a task that wrote 3 MB, and waking up";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      for (var set : List.of("agent", "shell", "background", "tasks", "all")) {
        report.figure("set " + set + ", names, descriptions and schemas", chars(client, set), "");
      }
      answers(report, client);
      wake(report, client);
    }
  }

  private static double chars(ErrandClient client, String set) {
    return client.tools().list(set).stream()
        .mapToInt(it ->
            it.text("name").length()
                + it.text("description").length()
                + Json.text(it.node().path("input_schema")).length())
        .sum();
  }

  private static void answers(Report report, ErrandClient client) {
    var taskId = client.spawn(NewTask.program(List.of("bash", "-c", COMMAND)).cwd("/"));
    client.waitEnd(taskId, Waits.LONG);
    var calls = new LinkedHashMap<String, String>();
    calls.put("task_output", "{\"task_id\":\"%s\"}");
    calls.put("task_join", "{\"task_id\":\"%s\"}");
    calls.put("task_status", "{\"task_id\":\"%s\"}");
    calls.put("background_output", "{\"task_id\":\"%s\"}");
    calls.put("shell poll", "{\"action\":\"poll\",\"run_id\":\"%s\"}");
    calls.put("shell poll since 0", "{\"action\":\"poll\",\"run_id\":\"%s\",\"since_seq\":0}");
    calls.put("shell log", "{\"action\":\"log\",\"run_id\":\"%s\"}");
    calls.put("shell", "{\"command\":\"" + COMMAND + "\"}");
    calls.forEach((what, arguments) -> {
      var tool = what.startsWith("shell") ? "shell" : what;
      var body = arguments.formatted(taskId).getBytes(StandardCharsets.UTF_8);
      var answer = client.tools().call(tool, body);
      report.figure(what + ", text", answer.text("text").length(), "chars");
      report.figure(
          what + ", structured", Json.text(answer.object("structured").node()).length(), "chars");
    });
  }

  /** From the end of a process to the answer of a call that waits for it. */
  private static void wake(Report report, ErrandClient client) {
    var late = new double[WAITS];
    for (var i = -WAITS; i < WAITS; i++) {
      var taskId = client.spawn(NewTask.program(List.of("sleep", "0.05")).cwd("/"));
      var wait = "{\"task_id\":\"" + taskId + "\"}";
      client.tools().call("task_wait", wait.getBytes(StandardCharsets.UTF_8));
      var answeredMs = System.currentTimeMillis();
      // The first ones only warm up.
      var status = Json.read(client.status(taskId).text().getBytes(StandardCharsets.UTF_8));
      late[Math.max(0, i)] = answeredMs - status.path("ended_at_ms").longValue();
    }
    report.below("task_wait answers after the end, p50", Report.median(late), "ms", WAKE_MS_MAX);
  }
}
