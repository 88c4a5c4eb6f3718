package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.OutputSearch;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The SDK for Java, over the Unix socket. */
record SdkAdapter(ErrandClient client) implements SurfaceAdapter {
  @Override
  public Map<ParityVerb, String> gaps() {
    return Map.of();
  }

  @Override
  public TaskId spawn(String commandLine) {
    return client.spawn(NewTask.shell(commandLine));
  }

  @Override
  public JsonNode status(TaskId taskId) {
    return client.status(taskId).fields().node();
  }

  @Override
  public Map<TaskId, String> list() {
    return client.list(TaskFilter.ALL.limit(1_000)).tasks().stream()
        .collect(toMap(TaskStatus::taskId, TaskStatus::status));
  }

  @Override
  public String output(TaskId taskId, LogStream stream) {
    return new String(client.output(taskId, stream, 0, 1 << 20).bytes(), UTF_8);
  }

  @Override
  public List<Long> search(TaskId taskId, String pattern) {
    return client.search(taskId, LogStream.STDOUT, OutputSearch.of(pattern)).matches().stream()
        .map(it -> it.line())
        .toList();
  }

  @Override
  public List<String> events(TaskId taskId) {
    return Recording.frames(client, taskId).stream().map(EventFrame::type).toList();
  }

  @Override
  public long await(TaskId taskId) {
    return client.waitEnd(taskId, Sandbox.PATIENCE).exitCode();
  }

  @Override
  public void cancel(TaskId taskId, String reason) {
    client.cancel(taskId, reason, null);
  }

  @Override
  public void signal(TaskId taskId, String signal) {
    client.signal(taskId, signal);
  }

  @Override
  public void stdin(TaskId taskId, String text) {
    client.stdin(taskId, text.getBytes(UTF_8), true);
  }

  @Override
  public void resize(TaskId taskId, int rows, int cols) {
    client.resize(taskId, new TerminalSize(rows, cols));
  }

  @Override
  public String screen(TaskId taskId) {
    return String.join("\n", client.screen(taskId, null).lines());
  }

  @Override
  public void approve(TaskId taskId) {
    client.approve(taskId);
  }

  @Override
  public void deny(TaskId taskId, String reason) {
    client.deny(taskId, reason);
  }

  @Override
  public void remove(TaskId taskId) {
    client.remove(taskId);
  }

  @Override
  public String store(String text) {
    return client.artifacts().put(text.getBytes(UTF_8));
  }

  @Override
  public String fetch(String artifactId) {
    return new String(client.artifacts().read(artifactId, 0, 1 << 20), UTF_8);
  }
}
