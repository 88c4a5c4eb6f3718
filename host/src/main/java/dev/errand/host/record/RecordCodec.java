package dev.errand.host.record;

import dev.errand.core.task.Exit;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A record as JSON. Fields are only ever added; unknown ones are skipped by older readers. */
final class RecordCodec {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private RecordCodec() {}

  static byte[] encode(HostRecord record) {
    var json = MAPPER.createObjectNode();
    json.put("kind", kind(record));
    json.put("task_id", record.taskId().value());
    json.put("attempt", record.attempt());
    json.put("n", record.n());
    json.put("timestamp_ms", record.timestampMs());
    fields(json, record);
    return MAPPER.writeValueAsBytes(json);
  }

  private static String kind(HostRecord record) {
    return switch (record) {
      case HostRecord.Intent _ -> "intent";
      case HostRecord.Started _ -> "started";
      case HostRecord.NotStarted _ -> "not_started";
      case HostRecord.Forgotten _ -> "forgotten";
      case HostRecord.Output _ -> "output";
      case HostRecord.Gap _ -> "gap";
      case HostRecord.Lost _ -> "lost";
      case HostRecord.Stdin _ -> "stdin";
      case HostRecord.Signalled _ -> "signalled";
      case HostRecord.Resized _ -> "resized";
      case HostRecord.KillStep _ -> "kill_step";
      case HostRecord.LimitPassed _ -> "limit_passed";
      case HostRecord.Exited _ -> "exited";
      case HostRecord.Unknown unknown -> unknown.kind();
    };
  }

  private static void fields(ObjectNode json, HostRecord record) {
    switch (record) {
      case HostRecord.Intent it -> json.put("tag", it.tag());
      case HostRecord.Started it ->
          json.put("pid", it.pid())
              .put("start_ticks", it.startTicks())
              .put("boot_id", it.bootId())
              .put("limited_by", it.limitedBy());
      case HostRecord.NotStarted it ->
          json.put("reason_code", it.reasonCode())
              .put("errno", it.errno())
              .put("message", it.message());
      case HostRecord.Forgotten _ -> {}
      case HostRecord.Output it ->
          json.put("stream", it.stream().word())
              .put("offset", it.offset())
              .put("bytes", it.bytes())
              .put("crc32c", it.crc32c());
      case HostRecord.Gap it ->
          json.put("stream", it.stream().word()).put("from", it.from()).put("to", it.to());
      case HostRecord.Lost it ->
          json.put("stream", it.stream().word()).put("from", it.from()).put("to", it.to());
      case HostRecord.Stdin it -> stdin(json, it);
      case HostRecord.Signalled it -> {
        json.put("op_id", it.opId()).put("signal", it.signal()).put("by", it.by());
        if (!it.outside().isEmpty()) {
          pids(json, "outside", it.outside());
        }
      }
      case HostRecord.Resized it ->
          json.put("op_id", it.opId())
              .put("rows", it.rows())
              .put("cols", it.cols())
              .put("by", it.by())
              .put("offset", it.offset());
      case HostRecord.KillStep it -> {
        json.put("step", it.step()).put("cause", it.cause());
        pids(json, "pids", it.pids());
      }
      case HostRecord.LimitPassed it -> json.put("limit", it.limit()).put("value", it.value());
      case HostRecord.Exited it -> exited(json, it);
      case HostRecord.Unknown _ -> {}
    }
  }

  private static void stdin(ObjectNode json, HostRecord.Stdin it) {
    json.put("op_id", it.opId())
        .put("bytes", it.bytes())
        .put("eof", it.eof())
        .put("full", it.full())
        .put("data", it.data().toBase64())
        .put("secret", it.secret())
        .put("by", it.by());
  }

  private static void exited(ObjectNode json, HostRecord.Exited it) {
    json.put("code", it.code())
        .put("signal", it.signal())
        .put("cause", it.cause())
        .put("step", it.step())
        .put("pipe_held", it.pipeHeld())
        .put("leftover", it.leftover());
    pids(json, "killed", it.killed());
    pids(json, "survivors", it.survivors());
    var streams = json.putArray("streams");
    for (var end : it.streams()) {
      streamEnd(streams.addObject(), end);
    }
    json.putObject("usage")
        .put("cpu_user_ms", it.usage().cpuUserMs())
        .put("cpu_system_ms", it.usage().cpuSystemMs())
        .put("max_rss_bytes", it.usage().maxRssBytes())
        .put("io_read_bytes", it.usage().ioReadBytes())
        .put("io_write_bytes", it.usage().ioWriteBytes());
    var processes = json.putArray("processes");
    for (var process : it.processes()) {
      processes
          .addObject()
          .put("pid", process.pid())
          .put("start_ticks", process.startTicks())
          .put("command", process.command());
    }
  }

  private static void streamEnd(ObjectNode json, StreamEnd end) {
    json.put("stream", end.stream().word())
        .put("bytes_total", end.bytesTotal())
        .put("bytes_stored", end.bytesStored())
        .put("lines", end.lines())
        .put("sha256", end.sha256());
    var extents = json.putArray("extents");
    for (var extent : end.extents()) {
      extents.addObject().put("from", extent.from()).put("to", extent.to());
    }
  }

  private static void pids(ObjectNode json, String name, List<Long> pids) {
    var array = json.putArray(name);
    pids.forEach(array::add);
  }

  static HostRecord decode(byte[] bytes) {
    var json = MAPPER.readTree(bytes);
    var stamp =
        new Stamp(
            new TaskId(text(json, "task_id")),
            (int) number(json, "attempt"),
            number(json, "n"),
            number(json, "timestamp_ms"));
    var kind = text(json, "kind");
    return switch (kind) {
      case "intent" -> new HostRecord.Intent(stamp, number(json, "tag"));
      case "started" ->
          new HostRecord.Started(
              stamp,
              number(json, "pid"),
              number(json, "start_ticks"),
              text(json, "boot_id"),
              text(json, "limited_by"));
      case "not_started" ->
          new HostRecord.NotStarted(
              stamp, text(json, "reason_code"), (int) number(json, "errno"), text(json, "message"));
      case "forgotten" -> new HostRecord.Forgotten(stamp);
      case "output" -> output(stamp, json);
      case "gap" ->
          new HostRecord.Gap(stamp, stream(json), number(json, "from"), number(json, "to"));
      case "lost" ->
          new HostRecord.Lost(stamp, stream(json), number(json, "from"), number(json, "to"));
      case "stdin" -> stdin(stamp, json);
      case "signalled" ->
          new HostRecord.Signalled(
              stamp,
              text(json, "op_id"),
              text(json, "signal"),
              text(json, "by"),
              pids(json, "outside"));
      case "resized" ->
          new HostRecord.Resized(
              stamp,
              text(json, "op_id"),
              (int) number(json, "rows"),
              (int) number(json, "cols"),
              text(json, "by"),
              number(json, "offset"));
      case "kill_step" ->
          new HostRecord.KillStep(
              stamp, text(json, "step"), text(json, "cause"), pids(json, "pids"));
      case "limit_passed" ->
          new HostRecord.LimitPassed(stamp, text(json, "limit"), number(json, "value"));
      case "exited" -> exited(stamp, json);
      default -> new HostRecord.Unknown(stamp, kind);
    };
  }

  private static HostRecord output(Stamp stamp, JsonNode json) {
    return new HostRecord.Output(
        stamp,
        stream(json),
        number(json, "offset"),
        number(json, "bytes"),
        (int) number(json, "crc32c"));
  }

  private static HostRecord stdin(Stamp stamp, JsonNode json) {
    return new HostRecord.Stdin(
        stamp,
        text(json, "op_id"),
        (int) number(json, "bytes"),
        flag(json, "eof"),
        flag(json, "full"),
        Data.ofBase64(text(json, "data")),
        flag(json, "secret"),
        text(json, "by"));
  }

  private static HostRecord exited(Stamp stamp, JsonNode json) {
    var usage = json.path("usage");
    var streams = new ArrayList<StreamEnd>();
    for (var end : json.path("streams")) {
      streams.add(streamEnd(end));
    }
    return new HostRecord.Exited(
        stamp,
        (int) number(json, "code"),
        textOrNull(json, "signal"),
        textOrNull(json, "cause"),
        textOrNull(json, "step"),
        flag(json, "pipe_held"),
        text(json, "leftover"),
        pids(json, "killed"),
        pids(json, "survivors"),
        streams,
        usage(usage),
        processes(json));
  }

  private static List<Exit.Leftover> processes(JsonNode json) {
    var processes = new ArrayList<Exit.Leftover>();
    for (var it : json.path("processes")) {
      processes.add(
          new Exit.Leftover(number(it, "pid"), number(it, "start_ticks"), text(it, "command")));
    }
    return processes;
  }

  /** An older host did not report the share of system time. */
  private static Usage usage(JsonNode json) {
    var user = json.has("cpu_user_ms") ? "cpu_user_ms" : "cpu_ms";
    return new Usage(
        number(json, user),
        number(json, "cpu_system_ms"),
        number(json, "max_rss_bytes"),
        number(json, "io_read_bytes"),
        number(json, "io_write_bytes"));
  }

  private static StreamEnd streamEnd(JsonNode json) {
    var extents = new ArrayList<Extent>();
    for (var extent : json.path("extents")) {
      extents.add(new Extent(number(extent, "from"), number(extent, "to")));
    }
    return new StreamEnd(
        stream(json),
        number(json, "bytes_total"),
        number(json, "bytes_stored"),
        number(json, "lines"),
        textOrNull(json, "sha256"),
        extents);
  }

  private static LogStream stream(JsonNode json) {
    var word = text(json, "stream");
    return LogStream.ofWord(word)
        .orElseThrow(() -> new IllegalArgumentException("no such stream: " + word));
  }

  private static List<Long> pids(JsonNode json, String name) {
    var pids = new ArrayList<Long>();
    for (var pid : json.path(name)) {
      pids.add(pid.asLong());
    }
    return pids;
  }

  private static long number(JsonNode json, String name) {
    return json.path(name).asLong(0);
  }

  private static boolean flag(JsonNode json, String name) {
    return json.path(name).asBoolean(false);
  }

  private static String text(JsonNode json, String name) {
    return json.path(name).asString("");
  }

  private static @Nullable String textOrNull(JsonNode json, String name) {
    var value = json.path(name);
    return value.isString() ? value.asString() : null;
  }
}
