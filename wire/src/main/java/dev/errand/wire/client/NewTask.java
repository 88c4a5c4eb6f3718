package dev.errand.wire.client;

import dev.errand.core.task.Environment;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.json.JsonWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A task to be spawned, put together wish by wish; what is left out is the daemon's default. */
public final class NewTask {
  private final String tool;
  private final Consumer<JsonWriter> invocation;
  private final Map<String, String> environment = new TreeMap<>();
  private final Set<String> secretNames = new TreeSet<>();
  private final Map<String, String> words = new TreeMap<>();
  private final Map<String, Duration> times = new TreeMap<>();
  private final Map<String, Long> limits = new TreeMap<>();
  private final Map<String, List<String>> ids = new TreeMap<>();
  private final Map<String, TaskCondition> watchers = new LinkedHashMap<>();
  private final Set<String> once = new TreeSet<>();
  private @Nullable TaskCondition readyWhen;
  private @Nullable Duration delay;
  private @Nullable String cwd;
  private @Nullable Long outputBytesMax;
  private @Nullable TerminalSize terminal;
  private boolean stdin;
  private boolean service;

  private NewTask(String tool, Consumer<JsonWriter> invocation) {
    this.tool = tool;
    this.invocation = invocation;
  }

  /** A command line for the shell. */
  public static NewTask shell(String commandLine) {
    return new NewTask("bash", args -> args.text("command", commandLine));
  }

  /** A program and its arguments, with no shell between. */
  public static NewTask program(List<String> argv) {
    return new NewTask("exec", args -> args.texts("argv", argv));
  }

  public NewTask cwd(String folder) {
    cwd = folder;
    return this;
  }

  public NewTask env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** A variable whose value is recorded nowhere and taken out of all that the task writes. */
  public NewTask secret(String name, String value) {
    secretNames.add(name);
    return env(name, value);
  }

  public NewTask title(String title) {
    return word("title", title);
  }

  public NewTask label(String label) {
    return word("label", label);
  }

  public NewTask session(String sessionId) {
    return word("session_id", sessionId);
  }

  public NewTask originSession(String sessionId) {
    return word("origin_session_id", sessionId);
  }

  /** Why it is wanted; a rule of the daemon's policy may demand it. */
  public NewTask justification(String why) {
    return word("justification", why);
  }

  public NewTask timeout(Duration time) {
    return time("timeout_secs", time);
  }

  /** How long it may write nothing. */
  public NewTask idleTimeout(Duration time) {
    return time("idle_timeout_secs", time);
  }

  /** The time between SIGTERM and SIGKILL. */
  public NewTask grace(Duration time) {
    return time("grace_secs", time);
  }

  /** How long after the exit its streams may stay open. */
  public NewTask drain(Duration time) {
    return time("drain_secs", time);
  }

  /** {@code lost} or {@code requeue}: what happens if the process is gone after a restart. */
  public NewTask onRestart(String word) {
    return word("on_restart", word);
  }

  /** {@code truncate} or {@code kill}: what happens above {@link #outputBytesMax}. */
  public NewTask onOutputLimit(String word) {
    return word("on_output_limit", word);
  }

  /** {@code kill} or {@code keep}: what becomes of descendants that outlive the process. */
  public NewTask leftover(String word) {
    return word("leftover", word);
  }

  /** How much of each stream is kept. */
  public NewTask outputBytesMax(long bytes) {
    outputBytesMax = bytes;
    return this;
  }

  /** How much memory its processes may use together; each by itself where that is not possible. */
  public NewTask memoryMax(long bytes) {
    return limit("memory_bytes", bytes);
  }

  /** How many processes and threads it may have at one time. */
  public NewTask processesMax(long count) {
    return limit("processes", count);
  }

  /** How much processor time each of its processes may use, in whole seconds. */
  public NewTask cpuTimeMax(Duration time) {
    return limit("cpu_secs", Math.max(1, time.toSeconds()));
  }

  /** How many descriptors each of its processes may hold. */
  public NewTask openFilesMax(long count) {
    return limit("open_files", count);
  }

  /** How large a file may become by its writing. */
  public NewTask fileSizeMax(long bytes) {
    return limit("file_size_bytes", bytes);
  }

  private NewTask limit(String name, long value) {
    limits.put(name, value);
    return this;
  }

  /** Opens its standard input, to be written with {@link ErrandClient#stdin}. */
  public NewTask withStdin() {
    stdin = true;
    return this;
  }

  /** Runs it at a terminal of this size; its one stream is {@code pty}, and it has input. */
  public NewTask pty(TerminalSize size) {
    terminal = size;
    return word("execution_mode", "pty");
  }

  public NewTask pty(int rows, int cols) {
    return pty(new TerminalSize(rows, cols));
  }

  /** One task of a lane of its session runs at a time, in the order of their spawn. */
  public NewTask lane(String name) {
    return word("lane", name);
  }

  /** {@code low}, {@code normal} or {@code high}: who goes first where several wait. */
  public NewTask priority(String word) {
    return word("priority", word);
  }

  /** Starts when these ended well, and fails if one did not. */
  public NewTask after(List<TaskId> tasks) {
    return follow("after", tasks);
  }

  /** Starts when these are over, however they ended. */
  public NewTask afterAny(List<TaskId> tasks) {
    return follow("after_any", tasks);
  }

  private NewTask follow(String name, List<TaskId> tasks) {
    ids.put(name, tasks.stream().map(TaskId::value).toList());
    return this;
  }

  /** Starts not before so long from now. */
  public NewTask delay(Duration time) {
    delay = time;
    return this;
  }

  /** Shared by tasks that belong together. */
  public NewTask batch(String batchId) {
    return word("batch_id", batchId);
  }

  /** {@code done_only}, {@code state_changes} or {@code silent}: what its session is told. */
  public NewTask tells(String word) {
    return word("notify", word);
  }

  /** It is meant to run on, so it leaves its lane once it is ready. */
  public NewTask service() {
    service = true;
    return this;
  }

  /** Makes an event of this name whenever the condition holds. */
  public NewTask watch(String event, TaskCondition condition) {
    watchers.put(event, condition);
    once.remove(event);
    return this;
  }

  /** Makes an event of this name the first time that the condition holds, and then no more. */
  public NewTask watchOnce(String event, TaskCondition condition) {
    watch(event, condition);
    once.add(event);
    return this;
  }

  public NewTask readyWhen(TaskCondition condition) {
    readyWhen = condition;
    return this;
  }

  private NewTask word(String name, String value) {
    words.put(name, value);
    return this;
  }

  private NewTask time(String name, Duration time) {
    times.put(name, time);
    return this;
  }

  /** The body of the request. */
  byte[] encode() {
    return JsonWriter.object(out -> {
      out.text("tool", tool);
      out.object("args", this::args);
      words.forEach(out::text);
      times.forEach(out::seconds);
      if (outputBytesMax != null) {
        out.number("artifact_max_bytes", outputBytesMax);
      }
      if (terminal != null) {
        out.number("rows", terminal.rows()).number("cols", terminal.cols());
      }
      if (!limits.isEmpty()) {
        out.object("limits", it -> limits.forEach(it::number));
      }
      plan(out);
      watching(out);
    });
  }

  private void plan(JsonWriter out) {
    ids.forEach(out::texts);
    if (delay != null) {
      out.number("delay_ms", delay.toMillis());
    }
    if (service) {
      out.bool("service", true);
    }
  }

  private void watching(JsonWriter out) {
    if (!watchers.isEmpty()) {
      out.array(
          "watch",
          list ->
              watchers.forEach(
                  (event, condition) -> list.item(it -> condition.writeTo(watcher(it, event)))));
    }
    if (readyWhen != null) {
      out.object("ready_when", readyWhen::writeTo);
    }
  }

  private JsonWriter watcher(JsonWriter out, String event) {
    out.text("event", event);
    return once.contains(event) ? out.bool("once", true) : out;
  }

  private void args(JsonWriter args) {
    invocation.accept(args);
    if (cwd != null) {
      args.text("cwd", cwd);
    }
    if (!environment.isEmpty()) {
      args.texts("env", environment);
    }
    if (!secretNames.isEmpty()) {
      args.texts("secret_env", List.copyOf(secretNames));
    }
    if (stdin) {
      args.bool("stdin", true);
    }
  }

  /** Without the values of variables, which may be secret. */
  @Override
  public String toString() {
    return "NewTask[" + tool + ", " + words + ", " + new Environment(environment) + "]";
  }
}
