package dev.errand.daemon.config;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.ResourceLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.toml.TomlMapper;

/** Reads {@code config.toml}. All keys are optional; unknown keys are refused. */
public final class ConfigFile {
  static final String LISTEN = "http.listen";

  private static final long MEMORY_BYTES_MIN = 1 << 20;

  private static final int TIMEOUT_SECONDS_MAX = 365 * 24 * 3_600;

  private static final int STOP_WAIT_SECONDS_MAX = 3_600;

  /** Clients treat 45 s of silence as a lost connection. */
  private static final Duration PING_MAX = Duration.ofSeconds(30);

  private ConfigFile() {}

  /** A whole configuration, and the list of all its settings. */
  public record Loaded(Config config, List<Setting> settings) {
    public Loaded {
      settings = List.copyOf(settings);
    }
  }

  /** The settings of that file; the defaults if it is missing. */
  public static Config read(Path file) throws IOException {
    return load(file).config();
  }

  /** The same with the list of settings. Errors are INVALID_REQUEST with file and line. */
  public static Loaded load(Path file) throws IOException {
    var name = file.toString();
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return load("", name);
    }
    if (!Files.isRegularFile(file)) {
      throw refused(name + " is not a regular file; settings must be in one");
    }
    try (var in = Files.newInputStream(file)) {
      return load(name, in);
    }
  }

  /** The same for a text, with that name in errors. */
  public static Loaded load(String name, InputStream in) throws IOException {
    return load(SourceText.read(name, in));
  }

  static Config parse(String text, String name) {
    return load(text, name).config();
  }

  static Loaded load(String text, String name) {
    return load(new SourceText(name, text));
  }

  private static Loaded load(SourceText source) {
    try {
      var settings = new ArrayList<Setting>();
      var tree = new TomlMapper().readTree(source.text());
      var config = config(Section.root(source, tree, settings));
      return new Loaded(config, settings);
    } catch (JacksonException e) {
      var place = e.getLocation();
      var known = place != null && place.getLineNr() > 0;
      var where = source.name() + (known ? ", line " + place.getLineNr() : "");
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST, where + ": " + e.getOriginalMessage(), e);
    }
  }

  private static Config config(Section root) {
    var standard = Config.DEFAULTS;
    var sync =
        root.word("durability", Map.of("full", true, "normal", false), standard.syncToDisk());
    var http = root.section("http");
    var tools = ToolsSection.read(root.section("tools"), standard.tools());
    var config =
        new Config(
            sync,
            http.address("listen"),
            tasks(root.section("tasks"), standard.tasks()),
            output(root.section("output").live(), standard.output()),
            serving(http, http.live(), standard.serving()),
            limits(root.section("limits").live()),
            PolicySection.read(root.section("policy"), standard.policy(), names(tools)),
            attaching(root.section("attach"), standard.attaching()),
            screens(root.section("screens"), standard.screens()),
            waking(root.section("wake").live(), standard.waking()),
            watching(root.section("watch").live(), standard.watching()),
            tools,
            inbox(root.section("inbox"), standard.inbox()));
    http.refuseUnknown();
    root.refuseUnknown();
    return config;
  }

  private static List<String> names(Config.Tools tools) {
    return tools.declared().stream().map(DeclaredTool::name).toList();
  }

  private static Config.Tasks tasks(Section section, Config.Tasks standard) {
    var live = section.live();
    var tasks =
        new Config.Tasks(
            section.flag("persist", standard.persist()),
            live.count("max_running_commands", standard.runningCommandsMax(), 1, 100_000),
            live.count("max_queued_per_session", standard.queuedPerSessionMax(), 0, 1_000_000),
            live.duration("grace", standard.grace()),
            live.duration("drain", standard.drain()),
            live.count(
                "max_frames_per_task", (int) standard.framesPerTaskMax(), 1_000, 100_000_000),
            live.duration("terminal_idle", standard.terminalIdle()),
            live.flag("enabled", standard.enabled()),
            timeouts(live, standard.timeouts()),
            sharing(section, live, standard.sharing()),
            stopping(live, standard.stopping()));
    section.refuseUnknown();
    return tasks;
  }

  private static Config.Timeouts timeouts(Section section, Config.Timeouts standard) {
    return new Config.Timeouts(
        section.seconds("default_timeout_secs", standard.standard(), TIMEOUT_SECONDS_MAX),
        section.seconds("max_timeout_secs", standard.max(), TIMEOUT_SECONDS_MAX));
  }

  private static Config.Sharing sharing(Section section, Section live, Config.Sharing standard) {
    return new Config.Sharing(
        live.count("max_concurrent_per_session", standard.concurrentPerSession(), 1, 100_000),
        live.count("max_concurrent_global", standard.concurrentGlobal(), 1, 100_000),
        live.count("max_depth", standard.depthMax(), 0, 100),
        live.duration("orphan_ttl", standard.orphanTtl()),
        section.duration("priority_step", standard.priorityStep()),
        live.count("max_waited_calls_per_session", standard.waitedCallsPerSession(), 1, 100_000),
        live.duration("service_settle", standard.serviceSettle()));
  }

  private static Config.Stopping stopping(Section section, Config.Stopping standard) {
    var words =
        Map.of(
            "detach", Config.OnStop.DETACH,
            "drain", Config.OnStop.DRAIN,
            "kill", Config.OnStop.KILL);
    return new Config.Stopping(
        section.word("on_stop", words, standard.onStop()),
        section.seconds("stop_wait_secs", standard.waitMax(), STOP_WAIT_SECONDS_MAX));
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

  private static Config.Serving serving(Section http, Section live, Config.Serving standard) {
    return new Config.Serving(
        live.smallBytes("max_request_bytes", standard.requestBytesMax(), 64 << 20),
        live.bytes("max_artifact_bytes", standard.artifactBytesMax()),
        live.count("max_page", standard.pageMax(), 1, 1_000),
        live.count("max_wait_secs", standard.waitSecondsMax(), 1, 3_600),
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

  private static Config.Watching watching(Section section, Config.Watching standard) {
    var watching =
        new Config.Watching(
            section.count("burst_hits", standard.burstHits(), 1, 1_000),
            section.duration("cool_down", standard.coolDown()),
            section.count("max_watcher_hits", standard.hitsMax(), 1, 1_000_000),
            section.duration("last_look", standard.lastLook()));
    section.refuseUnknown();
    return watching;
  }

  /** The default of a task, and the maximum that it may request. */
  private static ResourceLimits limits(Section section) {
    var limits =
        new ResourceLimits(
            section.optionalBytes("memory", MEMORY_BYTES_MIN),
            section.optionalCount("processes", 1, 1 << 22),
            section.optionalSeconds("cpu_time"),
            section.optionalCount("open_files", 8, 1 << 20),
            section.optionalBytes("file_size", 0));
    section.refuseUnknown();
    return limits;
  }

  private static Config.Attaching attaching(Section section, Config.Attaching standard) {
    var attaching =
        new Config.Attaching(
            section.count("max_clients", standard.clientsMax(), 0, 100_000),
            section.count("max_clients_per_task", standard.clientsPerTaskMax(), 0, 100_000),
            section.smallBytes("max_message_bytes", standard.messageBytesMax(), 1 << 20),
            section.duration("ping", standard.ping(), Duration.ofSeconds(1), PING_MAX));
    section.refuseUnknown();
    return attaching;
  }

  private static Config.Waking waking(Section section, Config.Waking standard) {
    var waking = new Config.Waking(section.flag("auto", standard.auto()));
    section.refuseUnknown();
    return waking;
  }

  private static Config.Inbox inbox(Section section, Config.Inbox standard) {
    var words =
        Map.of(
            "off", Config.Webhooks.OFF,
            "loopback", Config.Webhooks.LOOPBACK,
            "any", Config.Webhooks.ANY);
    var inbox =
        new Config.Inbox(
            section.count("max_unread_per_session", standard.unreadPerSessionMax(), 10, 100_000),
            section.count("max_text_chars", standard.textCharsMax(), 1_024, 1 << 20),
            section.word("webhooks", words, standard.webhooks()),
            section.duration(
                "webhook_timeout",
                standard.webhookTimeout(),
                Duration.ofMillis(100),
                Duration.ofMinutes(5)),
            section.duration("webhook_max_age", standard.webhookAge()));
    section.refuseUnknown();
    return inbox;
  }

  static ErrandException refused(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }
}
