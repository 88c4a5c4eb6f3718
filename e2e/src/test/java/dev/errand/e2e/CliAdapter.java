package dev.errand.e2e;

import static java.util.stream.Collectors.toMap;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The command line, as a person types it. */
record CliAdapter(Sandbox sandbox) implements SurfaceAdapter {
  private Sandbox.Result errand(String... arguments) throws Exception {
    return sandbox.errand(arguments).succeeded();
  }

  @Override
  public Map<ParityVerb, String> gaps() {
    return Map.of();
  }

  @Override
  public TaskId spawn(String commandLine) throws Exception {
    return new TaskId(errand("spawn", "-c", commandLine).line());
  }

  @Override
  public JsonNode status(TaskId taskId) throws Exception {
    return errand("status", taskId.value(), "--json").json();
  }

  @Override
  public Map<TaskId, String> list() throws Exception {
    return errand("ls", "--all", "--json").jsonLines().stream()
        .collect(
            toMap(
                it -> new TaskId(it.path("task_id").stringValue("")),
                it -> it.path("status").stringValue("")));
  }

  @Override
  public String output(TaskId taskId, LogStream stream) throws Exception {
    var logs = errand("logs", taskId.value());
    return stream == LogStream.STDERR ? logs.err() : logs.out();
  }

  @Override
  public List<Long> search(TaskId taskId, String pattern) throws Exception {
    return errand("logs", taskId.value(), "--search", pattern)
        .out()
        .lines()
        .map(it -> Long.valueOf(it.split(":", -1)[1]))
        .toList();
  }

  @Override
  public List<String> events(TaskId taskId) throws Exception {
    return errand("events", taskId.value()).jsonLines().stream()
        .map(it -> it.path("type").stringValue(""))
        .toList();
  }

  @Override
  public long await(TaskId taskId) throws Exception {
    return sandbox.errand("wait", taskId.value()).code();
  }

  @Override
  public void cancel(TaskId taskId, String reason) throws Exception {
    errand("cancel", taskId.value(), "--reason", reason);
  }

  @Override
  public void signal(TaskId taskId, String signal) throws Exception {
    errand("signal", taskId.value(), signal);
  }

  @Override
  public void stdin(TaskId taskId, String text) throws Exception {
    sandbox.errandGiven(text, "send", taskId.value(), "--eof").succeeded();
  }

  @Override
  public void resize(TaskId taskId, int rows, int cols) throws Exception {
    errand("resize", taskId.value(), rows + "x" + cols);
  }

  @Override
  public String screen(TaskId taskId) throws Exception {
    return errand("screen", taskId.value()).out();
  }

  @Override
  public void approve(TaskId taskId) throws Exception {
    errand("approve", taskId.value());
  }

  @Override
  public void deny(TaskId taskId, String reason) throws Exception {
    errand("deny", taskId.value(), "--reason", reason);
  }

  @Override
  public void remove(TaskId taskId) throws Exception {
    errand("rm", taskId.value());
  }

  @Override
  public String store(String text) throws Exception {
    var file = Files.writeString(Files.createTempFile(sandbox.folder(), "kept", ""), text);
    return Arrays.asList(errand("artifact", "put", file.toString()).line().split("\\s+", -1))
        .getFirst();
  }

  @Override
  public String fetch(String artifactId) throws Exception {
    return errand("artifact", "get", artifactId).out();
  }
}
