package dev.errand.daemon.config;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.ResourceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/** Reads {@code config.toml}. Everything in it is optional; what it does not know it refuses. */
public final class ConfigFile {
  private static final long MEMORY_BYTES_MIN = 1 << 20;

  /** Clients take 45 s of silence for a lost connection. */
  private static final long PING_SECONDS_MAX = 30;

  private ConfigFile() {}

  /** The settings of that file; the defaults where there is none. */
  public static Config read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Config.DEFAULTS;
    }
    return parse(Files.readString(file), file.toString());
  }

  static Config parse(String text, String name) {
    try {
      var section = new Section(name, text, "", new TomlMapper().readTree(text));
      return config(section);
    } catch (JacksonException e) {
      var place = e.getLocation();
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "%s, line %d: %s"
              .formatted(name, place == null ? 0 : place.getLineNr(), e.getOriginalMessage()),
          e);
    }
  }

  private static Config config(Section root) {
    var standard = Config.DEFAULTS;
    var sync =
        root.word("durability", Map.of("full", true, "normal", false), standard.syncToDisk());
    var http = root.section("http");
    var config =
        new Config(
            sync,
            http.text("listen", null),
            tasks(root.section("tasks"), standard.tasks()),
            output(root.section("output"), standard.output()),
            serving(http, standard.serving()),
            limits(root.section("limits")),
            PolicySection.read(root.section("policy"), standard.policy()),
            attaching(root.section("attach"), standard.attaching()),
            screens(root.section("screens"), standard.screens()));
    http.refuseUnknown();
    root.refuseUnknown();
    return config;
  }

  private static Config.Tasks tasks(Section section, Config.Tasks standard) {
    var tasks =
        new Config.Tasks(
            section.flag("persist", standard.persist()),
            section.count("max_running_commands", standard.runningCommandsMax(), 1, 100_000),
            section.count("max_queued_per_session", standard.queuedPerSessionMax(), 0, 1_000_000),
            section.duration("grace", standard.grace()),
            section.duration("drain", standard.drain()),
            section.count(
                "max_frames_per_task", (int) standard.framesPerTaskMax(), 1_000, 100_000_000),
            section.duration("terminal_idle", standard.terminalIdle()));
    section.refuseUnknown();
    return tasks;
  }

  private static Config.Output output(Section section, Config.Output standard) {
    var output =
        new Config.Output(
            section.bytes("max_bytes_per_stream", standard.bytesPerStreamMax()),
            section.duration("retention", standard.retention()),
            section.bytes("max_total_bytes", standard.totalBytesMax()));
    section.refuseUnknown();
    return output;
  }

  private static Config.Serving serving(Section http, Config.Serving standard) {
    return new Config.Serving(
        http.smallBytes("max_request_bytes", standard.requestBytesMax(), 64 << 20),
        http.bytes("max_artifact_bytes", standard.artifactBytesMax()),
        http.count("max_page", standard.pageMax(), 1, 1_000),
        http.count("max_wait_secs", standard.waitSecondsMax(), 1, 3_600),
        http.count("max_subscribers", standard.subscribersMax(), 1, 1_000_000),
        http.count("max_connections", standard.connectionsMax(), 1, 1_000_000));
  }

  private static Config.Screens screens(Section section, Config.Screens standard) {
    var screens =
        new Config.Screens(
            section.count("max_live", standard.liveMax(), 1, 10_000),
            section.duration("idle", standard.idle()),
            section.bytes("keep_every", standard.keepEveryBytes()),
            section.bytes("max_render_bytes", standard.renderBytesMax()),
            section.duration("max_render_time", standard.renderTime()));
    section.refuseUnknown();
    return screens;
  }

  /** What a task gets that asks for nothing, and the most that one may ask for. */
  private static ResourceLimits limits(Section section) {
    var cpu = section.duration("cpu_time", Duration.ZERO);
    if (cpu.toSeconds() * 1000 != cpu.toMillis()) {
      throw section.wrong("cpu_time", "a time in whole seconds");
    }
    var memory = section.bytes("memory", 0);
    if (memory > 0 && memory < MEMORY_BYTES_MIN) {
      throw section.wrong("memory", "a size of at least \"1MiB\"");
    }
    var limits =
        new ResourceLimits(
            absent(memory),
            absent(section.count("processes", 0, 1, 1 << 22)),
            absent(cpu.toSeconds()),
            absent(section.count("open_files", 0, 8, 1 << 20)),
            absent(section.bytes("file_size", 0)));
    section.refuseUnknown();
    return limits;
  }

  private static Config.Attaching attaching(Section section, Config.Attaching standard) {
    var attaching =
        new Config.Attaching(
            section.count("max_clients", standard.clientsMax(), 0, 100_000),
            section.count("max_clients_per_task", standard.clientsPerTaskMax(), 0, 100_000),
            section.smallBytes("max_message_bytes", standard.messageBytesMax(), 1 << 20),
            section.duration("ping", standard.ping()));
    if (attaching.ping().toSeconds() < 1 || attaching.ping().toSeconds() > PING_SECONDS_MAX) {
      throw section.wrong("ping", "a time from \"1s\" to \"30s\"");
    }
    section.refuseUnknown();
    return attaching;
  }

  private static @Nullable Long absent(long value) {
    return value == 0 ? null : value;
  }

  static ErrandException refused(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }

  static List<String> names(JsonNode node) {
    return List.copyOf(node.propertyNames());
  }
}
