package dev.errand.cli.board;

import dev.errand.cli.render.DisplayWidth;
import dev.errand.cli.render.ShortIds;
import dev.errand.cli.render.Style;
import dev.errand.cli.render.TaskText;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws a board: as many lines as the window has rows, none wider than it. */
final class BoardView {
  private static final String KEYS =
      "up/down choose  Enter attach  l log  c cancel  f filter  q quit";
  private static final String LOG_KEYS = "q back  a attach";
  private static final int STATE_COLUMNS = 16;
  private static final int NAME_COLUMNS = 16;
  private static final int TIME_COLUMNS = 7;
  private static final int COMMAND_COLUMNS_MAX = 36;

  /** Title, names of columns, and the line at the bottom. */
  private static final int FRAME_ROWS = 3;

  private final Board board;
  private final int rows;
  private final int cols;
  private final Instant now;
  private final boolean colour;

  private BoardView(Board board, int rows, int cols, Instant now, boolean colour) {
    this.board = board;
    this.rows = rows;
    this.cols = cols;
    this.now = now;
    this.colour = colour;
  }

  static List<String> lines(Board board, int rows, int cols, Instant now, boolean colour) {
    var view = new BoardView(board, Math.max(FRAME_ROWS + 1, rows), cols, now, colour);
    return board.mode() == Board.Mode.LOG ? view.log() : view.list();
  }

  /** How many lines of a log are shown in a window of so many rows. */
  static int logRows(int rows) {
    return Math.max(1, rows - 2);
  }

  private List<String> list() {
    var lines = new ArrayList<String>();
    lines.add(Style.BOLD.on(cut(title()), colour));
    lines.add(Style.DIM.on(cut(row("", "STATE", "NAME", "TIME", "COMMAND", "LAST LINE")), colour));
    var listed = board.listed();
    var room = rows - FRAME_ROWS;
    var selected = board.selectedIndex();
    var first = Math.max(0, selected - room + 1);
    for (var i = first; i < Math.min(listed.size(), first + room); i++) {
      lines.add(task(listed.get(i), i == selected));
    }
    while (lines.size() < rows - 1) {
      lines.add("");
    }
    lines.add(cut(bottom()));
    return lines;
  }

  private String title() {
    var running = count("running");
    var queued = count("queued");
    var ended = board.all().size() - running - queued;
    var text = "errand  %d running  %d queued  %d over".formatted(running, queued, ended);
    return board.filter().isEmpty() ? text : text + "  filter: " + SafeText.line(board.filter());
  }

  private int count(String status) {
    return (int) board.all().stream().filter(it -> it.status().equals(status)).count();
  }

  private String task(TaskStatus task, boolean selected) {
    var label = task.label();
    var line =
        row(
            selected ? ">" : "",
            (task.status() + " " + TaskText.outcome(task)).strip(),
            label == null ? ShortIds.of(task.taskId()) : SafeText.line(label),
            TaskText.lived(task, now),
            SafeText.line(task.command()),
            place(task));
    var cut = cut(line);
    return selected
        ? "\033[7m" + DisplayWidth.padded(cut, cols) + "\033[0m"
        : TaskText.style(task).on(cut, colour);
  }

  private String row(
      String mark, String state, String name, String time, String command, String last) {
    var fixed = STATE_COLUMNS + NAME_COLUMNS + TIME_COLUMNS + 5;
    var commandColumns = Math.clamp((cols - fixed) / 2, 8, COMMAND_COLUMNS_MAX);
    return column(mark, 1)
        + column(state, STATE_COLUMNS)
        + column(name, NAME_COLUMNS)
        + column(time, TIME_COLUMNS)
        + column(command, commandColumns)
        + last;
  }

  private static String column(String text, int columns) {
    return DisplayWidth.padded(DisplayWidth.cut(text, columns), columns) + " ";
  }

  /** Of a task that waits, where in the queue and why; of any other the last line it wrote. */
  private String place(TaskStatus task) {
    var queue = task.fields().object("queue");
    var position = queue.numberOrNull("position");
    if (!task.status().equals("queued") || position == null) {
      return SafeText.line(board.tailOf(task.taskId()));
    }
    var reason = queue.textOrNull("reason");
    return "place " + position + (reason == null ? "" : ", waits for: " + SafeText.line(reason));
  }

  private String bottom() {
    return switch (board.mode()) {
      case FILTER -> "filter: " + SafeText.line(board.filter()) + "_  (Enter keeps, Escape clears)";
      case CONFIRM -> "cancel " + name(board.chosen()) + " and all its processes? y/n";
      case LIST, LOG -> board.message().isEmpty() ? KEYS : SafeText.line(board.message());
    };
  }

  private List<String> log() {
    var lines = new ArrayList<String>();
    lines.add(Style.BOLD.on(cut(name(board.chosen()) + "  " + command(board.chosen())), colour));
    var log = board.log();
    var room = logRows(rows);
    log.subList(Math.max(0, log.size() - room), log.size())
        .forEach(it -> lines.add(cut(SafeText.line(it))));
    while (lines.size() < rows - 1) {
      lines.add("");
    }
    lines.add(cut(board.message().isEmpty() ? LOG_KEYS : SafeText.line(board.message())));
    return lines;
  }

  private static String name(@Nullable TaskStatus task) {
    if (task == null) {
      return "";
    }
    var label = task.label();
    return label == null ? ShortIds.of(task.taskId()) : SafeText.line(label);
  }

  private static String command(@Nullable TaskStatus task) {
    return task == null ? "" : SafeText.line(task.command());
  }

  private String cut(String text) {
    return DisplayWidth.cut(text, cols).stripTrailing();
  }
}
