package dev.errand.wire.json;

import dev.errand.core.task.Command;
import dev.errand.core.task.ResourceLimits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long a task may take, how its end is brought about, and what else it may use. */
public record SpawnLimits(
    @Nullable Duration wall,
    @Nullable Duration idle,
    @Nullable Duration grace,
    @Nullable Duration drain,
    Command.Leftover leftover,
    ResourceLimits resources) {
  private static final long GRACE_MS_DEFAULT = 5_000;
  private static final long DRAIN_MS_DEFAULT = 2_000;
  private static final Duration TIMEOUT_MIN = Duration.ofSeconds(1);
  private static final FieldType.Seconds WINDOW =
      new FieldType.Seconds(Duration.ZERO, Duration.ofHours(1));
  private static final long BYTES_MAX = 1L << 50;

  private static final RequestField<FieldType.Timeout> TIMEOUT =
      RequestField.of(
          "timeout_secs",
          new FieldType.Timeout(TIMEOUT_MIN),
          "end it after so many seconds, at most 86400 unless tasks.max_timeout_secs is set;"
              + " default: never");
  private static final RequestField<FieldType.Seconds> IDLE =
      RequestField.of(
          "idle_timeout_secs",
          new FieldType.Seconds(TIMEOUT_MIN, RequestFields.TIMEOUT_MAX),
          "end it after so long without output; default: never, or a setting for a terminal");
  private static final RequestField<FieldType.Seconds> GRACE =
      RequestField.of("grace_secs", WINDOW, "from TERM to KILL");
  private static final RequestField<FieldType.Seconds> DRAIN =
      RequestField.of("drain_secs", WINDOW, "how long to read on after the exit");
  private static final RequestField<FieldType.Word> LEFTOVER =
      RequestField.of(
          "leftover",
          new FieldType.Word("kill", "keep"),
          "what becomes of descendants that outlive it; default: kill");

  /** Below its bound no program can be loaded. */
  private static final RequestField<FieldType.Whole> MEMORY =
      RequestField.of(
          "memory_bytes",
          new FieldType.Whole(1 << 20, BYTES_MAX),
          "memory of its processes together, or of each where that is not possible");

  private static final RequestField<FieldType.Whole> PROCESSES =
      RequestField.of(
          "processes", new FieldType.Whole(1, 1 << 22), "processes and threads at one time");
  private static final RequestField<FieldType.Whole> CPU =
      RequestField.of(
          "cpu_secs",
          new FieldType.Whole(1, RequestFields.TIMEOUT_MAX.toSeconds()),
          "processor time of each of its processes");

  /** At least its three streams, and the files from which it is loaded. */
  private static final RequestField<FieldType.Whole> OPEN_FILES =
      RequestField.of(
          "open_files", new FieldType.Whole(8, 1 << 20), "files that each process may hold open");

  private static final RequestField<FieldType.Whole> FILE_SIZE =
      RequestField.of(
          "file_size_bytes",
          new FieldType.Whole(1, BYTES_MAX),
          "size that a file which it writes may reach");
  private static final RequestField<FieldType.Form> RESOURCES =
      RequestField.of(
          "limits",
          new FieldType.Form(
              "ResourceLimits", List.of(MEMORY, PROCESSES, CPU, OPEN_FILES, FILE_SIZE)),
          "what it may take of the machine, at most what the daemon gives a task");

  static final List<RequestField<?>> FIELDS =
      List.of(TIMEOUT, IDLE, GRACE, DRAIN, LEFTOVER, RESOURCES);

  static SpawnLimits read(RequestFields body) {
    var leftover = body.word(LEFTOVER);
    return new SpawnLimits(
        body.timeout(TIMEOUT),
        body.seconds(IDLE),
        body.seconds(GRACE),
        body.seconds(DRAIN),
        leftover == null ? Command.Leftover.KILL : EnumWords.of(Command.Leftover.class, leftover),
        resources(body.object(RESOURCES)));
  }

  private static ResourceLimits resources(RequestFields limits) {
    return new ResourceLimits(
        limits.integer(MEMORY),
        limits.integer(PROCESSES),
        limits.integer(CPU),
        limits.integer(OPEN_FILES),
        limits.integer(FILE_SIZE));
  }

  /** {@code standing} is how long it may be silent where the caller says nothing. */
  Command.Limits spec(SpawnRequest.Defaults defaults, @Nullable Duration standing) {
    return new Command.Limits(
        wall == null ? defaults.wall() : wall,
        idle == null ? standing : idle,
        grace == null ? defaults.grace() : grace,
        drain == null ? defaults.drain() : drain,
        leftover,
        resources.or(defaults.resources()));
  }

  /** As fields of the first frame. */
  static void write(JsonWriter out, Command.Limits limits) {
    out.numberOrNull("timeout_ms", millis(limits.wall()));
    out.numberOrNull("idle_timeout_ms", millis(limits.idle()));
    out.number("grace_ms", limits.grace().toMillis());
    out.number("drain_ms", limits.drain().toMillis());
    out.text("leftover", limits.leftover().word());
    SpecJson.given(out, "memory_bytes", limits.resources().memoryBytes());
    SpecJson.given(out, "processes", limits.resources().processes());
    SpecJson.given(out, "cpu_secs", limits.resources().cpuSecs());
    SpecJson.given(out, "open_files", limits.resources().openFiles());
    SpecJson.given(out, "file_size_bytes", limits.resources().fileSizeBytes());
  }

  private static @Nullable Long millis(@Nullable Duration time) {
    return time == null ? null : (Long) time.toMillis();
  }

  /** As a first frame has it, which may be of an older program. */
  static Command.Limits recorded(JsonFields in) {
    return new Command.Limits(
        duration(in.numberOrNull("timeout_ms")),
        duration(in.numberOrNull("idle_timeout_ms")),
        Duration.ofMillis(in.number("grace_ms", GRACE_MS_DEFAULT)),
        Duration.ofMillis(in.number("drain_ms", DRAIN_MS_DEFAULT)),
        EnumWords.of(Command.Leftover.class, in.text("leftover", "kill")),
        new ResourceLimits(
            in.numberOrNull("memory_bytes"),
            in.numberOrNull("processes"),
            in.numberOrNull("cpu_secs"),
            in.numberOrNull("open_files"),
            in.numberOrNull("file_size_bytes")));
  }

  private static @Nullable Duration duration(@Nullable Long millis) {
    return millis == null ? null : Duration.ofMillis(millis);
  }
}
