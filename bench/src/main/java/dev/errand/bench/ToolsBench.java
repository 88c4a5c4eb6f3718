package dev.errand.bench;

import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a call of a tool costs over a bare request to the same server. */
final class ToolsBench implements Bench {
  private static final int ROUNDS = 5;
  private static final int CALLS = 2_000;

  @Override
  public String what() {
    return "calls of tools over HTTP, one after the other, against a bare request to the same"
        + " server";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      var taskId = client.spawn(NewTask.program(List.of("true")).cwd("/"));
      client.waitEnd(taskId, Waits.LONG);
      var status = arguments("{\"task_id\":\"" + taskId + "\"}");
      var poll = arguments("{\"action\":\"poll\",\"run_id\":\"" + taskId + "\"}");
      var head = Long.toString(client.status(taskId).lastSeq());
      var nothingNew =
          arguments(
              "{\"action\":\"poll\",\"run_id\":\"" + taskId + "\",\"since_seq\":" + head + "}");
      var bare = new double[ROUNDS];
      var byRoute = new double[ROUNDS];
      var byTool = new double[ROUNDS];
      var polled = new double[ROUNDS];
      var polledNothing = new double[ROUNDS];
      for (var i = -1; i < ROUNDS; i++) {
        var round = Math.max(0, i); // The first one only warms up.
        bare[round] = median(client::isHealthy);
        byRoute[round] = median(() -> client.status(taskId));
        byTool[round] = median(() -> call(client, "tool_task_status", status));
        polled[round] = median(() -> call(client, "shell", poll));
        polledNothing[round] = median(() -> call(client, "shell", nothingNew));
      }
      var reference = Report.median(bare);
      report.figure("reference: GET /healthz, p50", reference, "us");
      report.figure("GET /tasks/{id}, p50", Report.median(byRoute), "us");
      report.atMostTimes("tool_task_status, p50", Report.median(byTool), "us", reference, 2);
      // Reads its frames and the end of its output too, so it is no peer of a bare request.
      report.figure("shell with action=poll, p50", Report.median(polled), "us");
      report.figure("the same with nothing new, p50", Report.median(polledNothing), "us");
    }
  }

  private static void call(ErrandClient client, String tool, byte[] arguments) {
    client.tools().call(tool, arguments);
  }

  /** In microseconds. */
  private static double median(Runnable request) {
    var times = new double[CALLS];
    for (var i = 0; i < CALLS; i++) {
      var begin = System.nanoTime();
      request.run();
      times[i] = (System.nanoTime() - begin) / 1e3;
    }
    return Report.median(times);
  }

  private static byte[] arguments(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
