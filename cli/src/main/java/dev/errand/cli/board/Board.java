package dev.errand.cli.board;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.TaskStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The content of the board and the effect of keys on it. Not thread-safe. */
final class Board {
  private static final int PAGE = 10;
  private static final int FILTER_CHARS_MAX = 60;

  /** What is asked for beyond the board itself. */
  sealed interface Request {
    record Nothing() implements Request {}

    record Quit() implements Request {}

    record Attach(TaskStatus task) implements Request {}

    record Cancel(TaskId taskId) implements Request {}
  }

  /** What keys are for now. */
  enum Mode {
    LIST,
    FILTER,
    CONFIRM,
    LOG
  }

  private static final Request NOTHING = new Request.Nothing();

  private final Map<TaskId, String> tails = new HashMap<>();
  private List<TaskStatus> tasks = List.of();
  private Mode mode = Mode.LIST;
  private String filter = "";
  private String message = "";
  private @Nullable TaskId selected;
  private List<String> log = List.of();

  /** Replaces the tasks; the selection stays on its task. */
  void show(List<TaskStatus> all) {
    tasks = List.copyOf(all);
    var known = tasks.stream().map(TaskStatus::taskId).collect(Collectors.toSet());
    forget(known);
    select(selectedIndex());
  }

  private void forget(Set<TaskId> known) {
    tails.keySet().retainAll(known);
  }

  /** The last line that a task wrote. */
  void tail(TaskId taskId, String line) {
    tails.put(taskId, line);
  }

  /** What the opened task wrote, as far as it is shown. */
  void log(List<String> lines) {
    log = List.copyOf(lines);
  }

  void say(String text) {
    message = text;
  }

  Request press(Key key) {
    message = "";
    if (key == Key.Named.INTERRUPT) {
      return new Request.Quit();
    }
    return switch (mode) {
      case LIST -> inList(key);
      case FILTER -> inFilter(key);
      case CONFIRM -> inConfirm(key);
      case LOG -> inLog(key);
    };
  }

  private Request inList(Key key) {
    return switch (key) {
      case Key.Typed(var it) -> command(it);
      case Key.Named named -> {
        move(named);
        yield named == Key.Named.ENTER ? open() : NOTHING;
      }
    };
  }

  private Request command(int character) {
    switch (character) {
      case 'q' -> {
        return new Request.Quit();
      }
      case 'a' -> {
        return open();
      }
      case 'j' -> select(selectedIndex() + 1);
      case 'k' -> select(selectedIndex() - 1);
      case 'l' -> mode = chosen() == null ? mode : Mode.LOG;
      case 'f', '/' -> mode = Mode.FILTER;
      case 'c' -> confirm();
      default -> message = "no key of the board: " + Character.toString(character);
    }
    return NOTHING;
  }

  private void move(Key.Named key) {
    var index = selectedIndex();
    switch (key) {
      case UP -> select(index - 1);
      case DOWN -> select(index + 1);
      case PAGE_UP -> select(index - PAGE);
      case PAGE_DOWN -> select(index + PAGE);
      case HOME -> select(0);
      case END -> select(Integer.MAX_VALUE);
      case ESCAPE -> filter = "";
      case ENTER, BACKSPACE, INTERRUPT -> {}
    }
  }

  /** Attaches to a task with a terminal; opens the log of any other. */
  private Request open() {
    var task = chosen();
    if (task != null && task.hasTerminal() && !task.isEnded()) {
      return new Request.Attach(task);
    }
    mode = task == null ? mode : Mode.LOG;
    return NOTHING;
  }

  private void confirm() {
    var task = chosen();
    if (task != null && task.isEnded()) {
      message = "the task is over";
    } else if (task != null) {
      mode = Mode.CONFIRM;
    }
  }

  private Request inConfirm(Key key) {
    mode = Mode.LIST;
    var task = chosen();
    return task != null && key.equals(new Key.Typed('y'))
        ? new Request.Cancel(task.taskId())
        : NOTHING;
  }

  private Request inFilter(Key key) {
    switch (key) {
      case Key.Typed(var it) when it >= ' ' && filter.length() < FILTER_CHARS_MAX ->
          filter += Character.toString(it);
      case Key.Typed _ -> {}
      case Key.Named named -> {
        switch (named) {
          case ENTER -> mode = Mode.LIST;
          case ESCAPE -> {
            filter = "";
            mode = Mode.LIST;
          }
          case BACKSPACE ->
              filter = filter.isEmpty() ? "" : filter.substring(0, filter.length() - 1);
          case UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END, INTERRUPT -> {}
        }
      }
    }
    select(selectedIndex());
    return NOTHING;
  }

  private Request inLog(Key key) {
    var back = Set.of(new Key.Typed('q'), new Key.Typed('l'), Key.Named.ESCAPE);
    if (back.contains(key)) {
      mode = Mode.LIST;
      log = List.of();
    }
    return key.equals(new Key.Typed('a')) ? open() : NOTHING;
  }

  /** The tasks that pass the filter: those that live first. */
  List<TaskStatus> listed() {
    var passing = tasks.stream().filter(this::passes).toList();
    return Stream.concat(
            passing.stream().filter(it -> !it.isEnded()),
            passing.stream().filter(it -> it.isEnded()))
        .toList();
  }

  private boolean passes(TaskStatus task) {
    var text =
        String.join(
            " ",
            task.status(),
            task.label() == null ? "" : task.label(),
            task.command(),
            task.sessionId(),
            task.taskId().value());
    return text.toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
  }

  int selectedIndex() {
    var listed = listed();
    for (var i = 0; i < listed.size(); i++) {
      if (listed.get(i).taskId().equals(selected)) {
        return i;
      }
    }
    return 0;
  }

  private void select(int index) {
    var listed = listed();
    selected =
        listed.isEmpty() ? null : listed.get(Math.clamp(index, 0, listed.size() - 1)).taskId();
  }

  /** The task that keys act on. */
  @Nullable TaskStatus chosen() {
    var listed = listed();
    return listed.isEmpty() ? null : listed.get(selectedIndex());
  }

  List<TaskStatus> all() {
    return tasks;
  }

  String tailOf(TaskId taskId) {
    return tails.getOrDefault(taskId, "");
  }

  boolean knowsTailOf(TaskId taskId) {
    return tails.containsKey(taskId);
  }

  Mode mode() {
    return mode;
  }

  String filter() {
    return filter;
  }

  String message() {
    return message;
  }

  List<String> log() {
    return log;
  }
}
