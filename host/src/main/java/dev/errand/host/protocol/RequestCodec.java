package dev.errand.host.protocol;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.Data;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests as JSON objects, both ways. */
final class RequestCodec {
  private RequestCodec() {}

  static ObjectNode encode(long id, HostRequest request) {
    var json = ProtocolJson.object().put("id", id).put("op", op(request));
    switch (request) {
      case HostRequest.Hello it ->
          json.put("protocol", it.protocol())
              .put("journal_id", it.journalId())
              .put("build", it.build());
      case HostRequest.Spawn it -> spawn(json, it);
      case HostRequest.Forget it -> attempt(json, it.id());
      case HostRequest.Cancel it -> {
        attempt(json, it.id()).put("reason", it.reason());
        millis(json, "grace_ms", it.grace());
      }
      case HostRequest.Signal it ->
          attempt(json, it.id())
              .put("op_id", it.opId())
              .put("signal", it.signal())
              .put("by", it.by());
      case HostRequest.Stdin it ->
          attempt(json, it.id())
              .put("op_id", it.opId())
              .put("data_b64", it.data().toBase64())
              .put("eof", it.eof())
              .put("secret", it.secret())
              .put("by", it.by());
      case HostRequest.Resize it ->
          size(attempt(json, it.id()).put("op_id", it.opId()), it.size()).put("by", it.by());
      case HostRequest.Sweep it -> sweep(json, it);
      case HostRequest.Consumed it -> json.put("segment", it.segment());
      case HostRequest.Stats _ -> {}
      case HostRequest.Shutdown it -> json.put("kill", it.kill());
    }
    return json;
  }

  private static void sweep(ObjectNode json, HostRequest.Sweep it) {
    json.put("task_id", it.taskId().value())
        .put("pid", it.pid())
        .put("start_ticks", it.startTicks())
        .put("boot_id", it.bootId())
        .put("tag", it.tag());
    var kept = json.putArray("kept");
    it.kept()
        .forEach(
            one -> kept.addObject().put("pid", one.pid()).put("start_ticks", one.startTicks()));
  }

  private static String op(HostRequest request) {
    return request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode attempt(ObjectNode json, AttemptId id) {
    return json.put("task_id", id.taskId().value()).put("attempt", id.attempt());
  }

  private static void spawn(ObjectNode json, HostRequest.Spawn it) {
    attempt(json, it.id()).put("session_id", it.sessionId());
    switch (it.program()) {
      case HostRequest.Program.Command(var line) -> json.put("command", line);
      case HostRequest.Program.Argv(var words) -> words.forEach(json.putArray("argv")::add);
    }
    json.put("cwd", it.surroundings().cwd()).put("stdin", it.surroundings().stdin());
    if (it.surroundings().fixedCwd()) {
      json.put("fixed_cwd", true);
    }
    var terminal = it.surroundings().terminal();
    if (terminal != null) {
      size(json, terminal);
    }
    it.surroundings().env().forEach(json.putObject("env")::put);
    if (!it.surroundings().secretNames().isEmpty()) {
      it.surroundings().secretNames().forEach(json.putArray("secret_env")::add);
    }
    limits(json, it.limits());
    json.put("leftover", word(it.leftover())).put("sync", it.sync());
    var offsets = json.putObject("start_offsets");
    it.startOffsets().forEach((stream, offset) -> offsets.put(stream.word(), offset));
  }

  private static ObjectNode size(ObjectNode json, TerminalSize size) {
    return json.put("rows", size.rows()).put("cols", size.cols());
  }

  private static void limits(ObjectNode json, HostRequest.Limits limits) {
    json.put("cap_bytes", limits.capBytes()).put("on_output_limit", word(limits.onOutputLimit()));
    millis(json, "timeout_ms", limits.wall());
    millis(json, "idle_timeout_ms", limits.idle());
    millis(json, "grace_ms", limits.grace());
    millis(json, "drain_ms", limits.drain());
    var resources = limits.resources();
    if (!resources.isNone()) {
      json.putObject("resources")
          .put("memory_bytes", resources.memoryBytes())
          .put("processes", resources.processes())
          .put("cpu_secs", resources.cpuSecs())
          .put("open_files", resources.openFiles())
          .put("file_size_bytes", resources.fileSizeBytes());
    }
  }

  private static void millis(ObjectNode json, String name, @Nullable Duration duration) {
    if (duration != null) {
      json.put(name, duration.toMillis());
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Throws IllegalArgumentException, with a message for the daemon, if it is no valid request. */
  static HostRequest decode(JsonNode json) {
    var op = ProtocolJson.text(json, "op");
    return switch (op) {
      case "hello" ->
          new HostRequest.Hello(
              (int) ProtocolJson.number(json, "protocol"),
              ProtocolJson.text(json, "journal_id"),
              ProtocolJson.text(json, "build"));
      case "spawn" -> spawn(json);
      case "forget" -> new HostRequest.Forget(attempt(json));
      case "cancel" ->
          new HostRequest.Cancel(
              attempt(json), duration(json, "grace_ms"), ProtocolJson.text(json, "reason"));
      case "signal" ->
          new HostRequest.Signal(
              attempt(json),
              ProtocolJson.text(json, "op_id"),
              ProtocolJson.text(json, "signal"),
              ProtocolJson.text(json, "by"));
      case "stdin" ->
          new HostRequest.Stdin(
              attempt(json),
              ProtocolJson.text(json, "op_id"),
              Data.ofBase64(ProtocolJson.text(json, "data_b64")),
              ProtocolJson.flag(json, "eof"),
              ProtocolJson.flag(json, "secret"),
              ProtocolJson.text(json, "by"));
      case "resize" ->
          new HostRequest.Resize(
              attempt(json),
              ProtocolJson.text(json, "op_id"),
              size(json),
              ProtocolJson.text(json, "by"));
      case "sweep" ->
          new HostRequest.Sweep(
              new TaskId(ProtocolJson.text(json, "task_id")),
              ProtocolJson.number(json, "pid"),
              ProtocolJson.number(json, "start_ticks"),
              ProtocolJson.text(json, "boot_id"),
              ProtocolJson.number(json, "tag"),
              kept(json));
      case "consumed" -> new HostRequest.Consumed(ProtocolJson.number(json, "segment"));
      case "stats" -> new HostRequest.Stats();
      case "shutdown" -> new HostRequest.Shutdown(ProtocolJson.flag(json, "kill"));
      default -> throw new IllegalArgumentException("no such operation: " + op);
    };
  }

  private static List<HostRequest.Kept> kept(JsonNode json) {
    var kept = new ArrayList<HostRequest.Kept>();
    for (var it : json.path("kept")) {
      kept.add(
          new HostRequest.Kept(
              ProtocolJson.number(it, "pid"), ProtocolJson.number(it, "start_ticks")));
    }
    return kept;
  }

  private static AttemptId attempt(JsonNode json) {
    return new AttemptId(
        new TaskId(ProtocolJson.text(json, "task_id")), (int) ProtocolJson.number(json, "attempt"));
  }

  private static HostRequest.Spawn spawn(JsonNode json) {
    return new HostRequest.Spawn(
        attempt(json),
        ProtocolJson.text(json, "session_id"),
        program(json),
        new HostRequest.Surroundings(
            json.path("cwd").asString("/"),
            environment(json),
            ProtocolJson.flag(json, "stdin"),
            secretNames(json),
            json.has("rows") ? size(json) : null,
            ProtocolJson.flag(json, "fixed_cwd")),
        limits(json),
        value(HostRequest.Leftover.class, json, "leftover", HostRequest.Leftover.KILL),
        ProtocolJson.flag(json, "sync"),
        startOffsets(json));
  }

  private static TerminalSize size(JsonNode json) {
    return new TerminalSize(
        (int) ProtocolJson.number(json, "rows"), (int) ProtocolJson.number(json, "cols"));
  }

  private static HostRequest.Program program(JsonNode json) {
    if (json.path("command").isString()) {
      return new HostRequest.Program.Command(ProtocolJson.text(json, "command"));
    }
    var words = new ArrayList<String>();
    for (var word : json.path("argv")) {
      words.add(word.asString());
    }
    return new HostRequest.Program.Argv(words);
  }

  private static Map<String, String> environment(JsonNode json) {
    var environment = new LinkedHashMap<String, String>();
    for (var variable : json.path("env").properties()) {
      environment.put(variable.getKey(), variable.getValue().asString(""));
    }
    return environment;
  }

  private static Set<String> secretNames(JsonNode json) {
    var names = new LinkedHashSet<String>();
    for (var name : json.path("secret_env")) {
      names.add(name.asString());
    }
    return names;
  }

  private static HostRequest.Limits limits(JsonNode json) {
    var grace = duration(json, "grace_ms");
    var drain = duration(json, "drain_ms");
    var onLimit = HostRequest.OnOutputLimit.TRUNCATE;
    return new HostRequest.Limits(
        json.path("cap_bytes").asLong(HostRequest.Limits.CAP_BYTES_DEFAULT),
        value(HostRequest.OnOutputLimit.class, json, "on_output_limit", onLimit),
        duration(json, "timeout_ms"),
        duration(json, "idle_timeout_ms"),
        grace == null ? HostRequest.Limits.GRACE_DEFAULT : grace,
        drain == null ? HostRequest.Limits.DRAIN_DEFAULT : drain,
        resources(json.path("resources")));
  }

  private static ResourceLimits resources(JsonNode json) {
    return new ResourceLimits(
        numberOrNull(json, "memory_bytes"),
        numberOrNull(json, "processes"),
        numberOrNull(json, "cpu_secs"),
        numberOrNull(json, "open_files"),
        numberOrNull(json, "file_size_bytes"));
  }

  private static @Nullable Long numberOrNull(JsonNode json, String name) {
    var value = json.path(name);
    return value.isNumber() ? value.asLong() : null;
  }

  private static @Nullable Duration duration(JsonNode json, String name) {
    var value = json.path(name);
    return value.isNumber() ? Duration.ofMillis(value.asLong()) : null;
  }

  private static <E extends Enum<E>> E value(
      Class<E> type, JsonNode json, String name, E otherwise) {
    var word = ProtocolJson.text(json, name);
    return word.isEmpty() ? otherwise : Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
  }

  private static Map<LogStream, Long> startOffsets(JsonNode json) {
    var offsets = new EnumMap<LogStream, Long>(LogStream.class);
    for (var entry : json.path("start_offsets").properties()) {
      LogStream.ofWord(entry.getKey())
          .ifPresent(stream -> offsets.put(stream, entry.getValue().asLong()));
    }
    return offsets;
  }
}
