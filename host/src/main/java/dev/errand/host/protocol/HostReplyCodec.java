package dev.errand.host.protocol;

import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Replies as JSON objects, both ways. */
final class HostReplyCodec {
  static final String LEFT = "left";

  private HostReplyCodec() {}

  static ObjectNode encode(long id, Answer<? extends HostReply> answer) {
    var json = ProtocolJson.object().put("id", id);
    switch (answer) {
      case Answer.Done(var reply) -> fields(json.put("ok", true), reply);
      case Answer.Refused(var code, var message, var bytesWritten, var n) ->
          json.put("ok", false)
              .put("code", code)
              .put("message", message)
              .put("bytes_written", bytesWritten)
              .put("n", n);
    }
    return json;
  }

  private static void fields(ObjectNode json, HostReply reply) {
    switch (reply) {
      case HostReply.Welcome it -> welcome(json, it);
      case HostReply.Spawned it -> json.put("started", it.started());
      case HostReply.Cancelling it -> json.put("ended", it.ended());
      case HostReply.Signalled it -> json.put("n", it.n());
      case HostReply.StdinWritten it ->
          json.put("n", it.n()).put("bytes_written", it.bytesWritten());
      case HostReply.Resized it -> json.put("n", it.n());
      case HostReply.Swept it -> {
        it.killed().forEach(json.putArray("killed")::add);
        it.survivors().forEach(json.putArray("survivors")::add);
      }
      case HostReply.Statistics it -> statistics(json, it);
      case HostReply.Ok _ -> {}
    }
  }

  private static void welcome(ObjectNode json, HostReply.Welcome it) {
    json.put("protocol", it.protocol())
        .put("host_id", it.hostId())
        .put("build", it.build())
        .put("boot_id", it.bootId())
        .put("pid", it.pid())
        .put("running", it.running());
    it.features().forEach(json.putArray("features")::add);
  }

  private static void statistics(ObjectNode json, HostReply.Statistics it) {
    json.put("running", it.running())
        .put("attempts", it.attempts())
        .put("escaped", it.escaped())
        .put("fds", it.fds())
        .put("fds_max", it.fdsMax())
        .put("discarded_bytes", it.discardedBytes())
        .put("segment", it.segment());
    var shown = json.putArray("escaped_shown");
    for (var process : it.escapedShown()) {
      shown
          .addObject()
          .put("pid", process.pid())
          .put("start_ticks", process.startTicks())
          .put("name", process.name());
    }
  }

  /** Not an answer: a message that the host sends unasked. */
  static ObjectNode left(List<HostReply.Left> processes) {
    var json = ProtocolJson.object();
    var array = json.putArray(LEFT);
    for (var it : processes) {
      var process =
          array
              .addObject()
              .put("pid", it.pid())
              .put("start_ticks", it.startTicks())
              .put("name", it.name())
              .put("kept", it.kept());
      var tasks = process.putArray("tasks");
      it.tasks().forEach(task -> tasks.add(task.value()));
    }
    return json;
  }

  static List<HostReply.Left> left(JsonNode json) {
    var processes = new ArrayList<HostReply.Left>();
    for (var it : json.path(LEFT)) {
      var tasks = new ArrayList<TaskId>();
      it.path("tasks").forEach(task -> tasks.add(new TaskId(task.asString())));
      processes.add(
          new HostReply.Left(
              ProtocolJson.number(it, "pid"),
              ProtocolJson.number(it, "start_ticks"),
              ProtocolJson.text(it, "name"),
              tasks,
              ProtocolJson.flag(it, "kept")));
    }
    return processes;
  }

  static HostReply.Welcome welcome(JsonNode json) {
    var features = new ArrayList<String>();
    for (var feature : json.path("features")) {
      features.add(feature.asString());
    }
    return new HostReply.Welcome(
        (int) ProtocolJson.number(json, "protocol"),
        ProtocolJson.text(json, "host_id"),
        ProtocolJson.text(json, "build"),
        ProtocolJson.text(json, "boot_id"),
        ProtocolJson.number(json, "pid"),
        features,
        ProtocolJson.number(json, "running"));
  }

  static HostReply.Spawned spawned(JsonNode json) {
    return new HostReply.Spawned(ProtocolJson.flag(json, "started"));
  }

  static HostReply.Cancelling cancelling(JsonNode json) {
    return new HostReply.Cancelling(ProtocolJson.flag(json, "ended"));
  }

  static HostReply.Signalled signalled(JsonNode json) {
    return new HostReply.Signalled(ProtocolJson.number(json, "n"));
  }

  static HostReply.StdinWritten stdinWritten(JsonNode json) {
    return new HostReply.StdinWritten(
        ProtocolJson.number(json, "n"), ProtocolJson.number(json, "bytes_written"));
  }

  static HostReply.Resized resized(JsonNode json) {
    return new HostReply.Resized(ProtocolJson.number(json, "n"));
  }

  static HostReply.Swept swept(JsonNode json) {
    return new HostReply.Swept(numbers(json, "killed"), numbers(json, "survivors"));
  }

  static HostReply.Statistics statistics(JsonNode json) {
    var shown = new ArrayList<HostReply.Escaped>();
    for (var it : json.path("escaped_shown")) {
      shown.add(
          new HostReply.Escaped(
              ProtocolJson.number(it, "pid"),
              ProtocolJson.number(it, "start_ticks"),
              ProtocolJson.text(it, "name")));
    }
    return new HostReply.Statistics(
        ProtocolJson.number(json, "running"),
        ProtocolJson.number(json, "attempts"),
        ProtocolJson.number(json, "escaped"),
        ProtocolJson.number(json, "fds"),
        ProtocolJson.number(json, "fds_max"),
        ProtocolJson.number(json, "discarded_bytes"),
        ProtocolJson.number(json, "segment"),
        shown);
  }

  private static List<Long> numbers(JsonNode json, String name) {
    var numbers = new ArrayList<Long>();
    for (var number : json.path(name)) {
      numbers.add(number.asLong());
    }
    return numbers;
  }
}
