package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task runs. Each kind of task is one case with its own fields; the methods here are those
 * that every kind has. Code that needs more switches over the cases without a default, so that a
 * new kind does not compile until it is handled.
 */
public sealed interface Work permits Command {

  TaskKind kind();

  /** The caller's word for it. */
  String toolName();

  /** The folder that it works in. */
  String cwd();

  /** The same in another folder. */
  Work in(String folder);

  /** The streams that it can write to, each of which has a log. */
  List<LogStream> streams();

  /** How many frames its task may have before output is merged into fewer and larger frames. */
  long framesMax();

  /** The size of its terminal at the start; absent where it has none. */
  @Nullable TerminalSize terminal();

  /** Stands in for what was asked for where that cannot be read any more; it is never run. */
  static Work unreadable(TaskKind kind) {
    return switch (kind) {
      case COMMAND -> Command.UNREADABLE;
    };
  }
}
