package dev.errand.cli.board;

import dev.errand.cli.attach.AttachSession;
import dev.errand.cli.attach.DetachKeys;
import dev.errand.cli.attach.RawTerminal;
import dev.errand.cli.terminal.Console;
import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.AttachOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the board on a terminal. It follows the frames of all tasks: output frames give the last
 * lines, and any other frame reloads the lists. Drawing, reloading and reading of logs each have a
 * minimum interval, so many frames cost no more than a few.
 */
public final class BoardSession {
  private static final int LIVE_MAX = 200;
  private static final int ENDED_MAX = 50;
  private static final int TAIL_BYTES = 2 * 1024;
  private static final int LOG_BYTES = 32 * 1024;
  private static final Duration BETWEEN_DRAWINGS = Duration.ofMillis(60);
  private static final Duration BETWEEN_LISTS = Duration.ofMillis(300);

  /** Ages and times are redrawn while nothing happens. */
  private static final Duration TICK = Duration.ofSeconds(1);

  /** The alternate screen without a cursor, and the way back. */
  private static final String ENTER = "\033[?1049h\033[?25l";

  private static final String LEAVE = "\033[m\033[?25h\033[?1049l";

  private final ErrandClient client;
  private final Console console;
  private final DetachKeys detachKeys;
  private final InstantSource clock;
  private final Board board = new Board();
  private final Keyboard keyboard;
  private final Semaphore changed = new Semaphore(0);
  private final Map<TaskId, String> tails = new ConcurrentHashMap<>();
  private volatile boolean listsAreOld = true;
  private volatile @Nullable RuntimeException failure;
  private long listedAt;
  private String drawn = "";

  public BoardSession(
      ErrandClient client, Console console, DetachKeys detachKeys, InstantSource clock) {
    this.client = client;
    this.console = console;
    this.detachKeys = detachKeys;
    this.clock = clock;
    this.keyboard = new Keyboard(console.in(), changed::release);
  }

  /** Returns when the user quits. */
  public void run() throws InterruptedException {
    // A refusal comes before the terminal is changed.
    refresh();
    try (var terminal = RawTerminal.open(() -> console.write(LEAVE));
        var events = client.allEvents("now")) {
      terminal.enterRawMode();
      enter(terminal);
      keyboard.start();
      Thread.ofVirtual()
          .name("board-events")
          .start(() -> {
            follow(events::next);
          });
      while (step(terminal)) {
        changed.tryAcquire(TICK.toMillis(), TimeUnit.MILLISECONDS);
        changed.drainPermits();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the terminal cannot be used: " + e.getMessage(), e);
    }
  }

  private void enter(RawTerminal terminal) {
    console.write(ENTER);
    drawn = "";
    terminal.onResize(() -> {
      drawn = "";
      changed.release();
    });
  }

  private interface Frames {
    @Nullable EventFrame next();
  }

  private void follow(Frames frames) {
    try {
      for (var frame = frames.next(); frame != null; frame = frames.next()) {
        note(frame);
        changed.release();
      }
    } catch (RuntimeException e) {
      failure = e;
      changed.release();
    }
  }

  private void note(EventFrame frame) {
    var taskId = frame.taskId();
    if (taskId != null && frame.type().equals("tool_task_output_delta")) {
      var line = lastLine(frame.fields().text("chunk", ""));
      if (!line.isEmpty()) {
        tails.put(taskId, line);
      }
    } else {
      listsAreOld = true;
    }
  }

  /** The last line that has something on it, of a text that may end anywhere. */
  static String lastLine(String text) {
    var lines = text.strip().split("[\\r\\n]+", -1);
    return lines[lines.length - 1].strip();
  }

  /** Handles what happened and draws; false when the user quits. */
  private boolean step(RawTerminal terminal) throws InterruptedException {
    var broken = failure;
    if (broken != null) {
      throw broken;
    }
    for (var key : keyboard.pressed()) {
      if (!serve(board.press(key), terminal)) {
        return false;
      }
    }
    tails.forEach(board::tail);
    tails.clear();
    if (listsAreOld && System.nanoTime() - listedAt >= BETWEEN_LISTS.toNanos()) {
      refresh();
    }
    draw(terminal);
    Thread.sleep(BETWEEN_DRAWINGS);
    if (listsAreOld) {
      changed.release();
    }
    return true;
  }

  private boolean serve(Board.Request request, RawTerminal terminal) {
    switch (request) {
      case Board.Request.Nothing() -> {}
      case Board.Request.Quit() -> {
        return false;
      }
      case Board.Request.Attach(var task) -> attach(task, terminal);
      case Board.Request.Cancel(var taskId) -> cancel(taskId);
    }
    return true;
  }

  private void cancel(TaskId taskId) {
    try {
      client.cancel(taskId, "cancelled at the board", null);
    } catch (ErrandException e) {
      board.say(String.valueOf(e.getMessage()));
    }
    listsAreOld = true;
  }

  private void attach(TaskStatus task, RawTerminal terminal) {
    console.write(LEAVE);
    try (var in = keyboard.lend()) {
      var session = new AttachSession(console.readingFrom(in), detachKeys);
      var ended = session.run(client, task.taskId(), AttachOptions.TERMINAL);
      board.say(ended.isEmpty() ? "detached; it goes on" : "it is over");
    } catch (ErrandException e) {
      board.say(String.valueOf(e.getMessage()));
    }
    enter(terminal);
    listsAreOld = true;
  }

  private void refresh() {
    listsAreOld = false;
    listedAt = System.nanoTime();
    var tasks = new LinkedHashMap<TaskId, TaskStatus>();
    client
        .list(TaskFilter.ALL.active(true).limit(LIVE_MAX))
        .tasks()
        .forEach(it -> tasks.put(it.taskId(), it));
    client
        .list(TaskFilter.ALL.active(false).limit(ENDED_MAX))
        .tasks()
        .forEach(it -> tasks.put(it.taskId(), it));
    board.show(List.copyOf(tasks.values()));
  }

  private void draw(RawTerminal terminal) {
    var size = terminal.size();
    var rows = size.rows() > 0 ? size.rows() : 24;
    var cols = size.cols() > 0 ? size.cols() : 80;
    look(rows);
    var colour = console.terminal().colour();
    var lines = BoardView.lines(board, rows, cols, clock.instant(), colour);
    var text = "\033[H" + String.join("\033[K\r\n", lines) + "\033[K\033[J";
    if (!text.equals(drawn)) {
      // Terminals that support synchronized output show the whole frame at once.
      console.write("\033[?2026h" + text + "\033[?2026l");
      drawn = text;
    }
  }

  /** Reads what the drawing needs beyond the frames: logs, and lines from before the start. */
  private void look(int rows) {
    var task = board.chosen();
    if (task == null) {
      return;
    }
    try {
      if (board.mode() == Board.Mode.LOG) {
        board.log(log(task, BoardView.logRows(rows)));
        return;
      }
      board.listed().stream()
          .limit(rows)
          .filter(it -> !board.knowsTailOf(it.taskId()))
          .limit(2)
          .forEach(it -> board.tail(it.taskId(), tail(it)));
    } catch (ErrandException e) {
      // It was removed meanwhile; the next list no longer has it.
      listsAreOld = true;
    }
  }

  private String tail(TaskStatus task) {
    for (var stream : streams(task)) {
      if (task.bytesTotal(stream) > 0) {
        return lastLine(text(task, stream, TAIL_BYTES));
      }
    }
    return "";
  }

  private List<String> log(TaskStatus task, int rows) {
    if (task.hasTerminal()) {
      return client.screen(task.taskId(), null).lines();
    }
    var lines = new ArrayList<String>();
    for (var stream : streams(task)) {
      var all = text(task, stream, LOG_BYTES).strip().lines().toList();
      lines.addAll(all.subList(Math.max(0, all.size() - rows), all.size()));
    }
    return lines;
  }

  private String text(TaskStatus task, LogStream stream, int bytes) {
    var part = client.tail(task.taskId(), stream, bytes);
    return new String(part.bytes(), StandardCharsets.UTF_8);
  }

  private static List<LogStream> streams(TaskStatus task) {
    return task.hasTerminal()
        ? List.of(LogStream.PTY)
        : List.of(LogStream.STDOUT, LogStream.STDERR);
  }
}
