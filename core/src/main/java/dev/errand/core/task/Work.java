package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task runs. Each kind of task is one case, and what belongs to that kind alone hangs on the
 * case; asked here is only what every kind can answer. Who needs more goes through the cases by a
 * switch without a default, so that another kind stops the compiler there.
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

  /** How many frames its task may have before its output is told by fewer and larger ones. */
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
