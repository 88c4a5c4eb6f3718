package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.OutputSink;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays the recorded bytes of a terminal on this one. They are not escaped, except for sequences
 * that make the terminal answer. At the end, or on interrupt, the state of the terminal is reset.
 */
final class TerminalReplay {
  /**
   * Out of the alternate screen, cursor and colours as usual, no reports of mouse and focus, no
   * bracketed paste, keys as usual, the whole screen scrolls.
   */
  private static final String IN_ORDER =
      "\\e[?1049l\\e[!p\\e[r\\e[0m\\e[?25h\\e[?9l\\e[?1000l\\e[?1002l\\e[?1003l\\e[?1004l\\e[?1006l"
          + "\\e[?2004l\\e[?1l\\e>\\e[0 q\\e(B\\e[999;1H\r\n";

  private final ErrandClient client;
  private final TaskId taskId;
  private final Console console;
  private final AtomicBoolean isInOrder = new AtomicBoolean();

  TerminalReplay(ErrandClient client, TaskId taskId, Console console) {
    this.client = client;
    this.taskId = taskId;
    this.console = console;
  }

  /** From the start, or from the screen after that frame; waits before the output of each frame. */
  void play(@Nullable Long at, LongConsumer await) {
    if (!console.terminal().outIsTerminal()) {
      client.play(taskId, at == null ? -1 : at, sink(0, await));
      return;
    }
    var hook = new Thread(this::putInOrder, "replay-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      client.play(taskId, at == null ? -1 : at, sink(at == null ? 0 : draw(at), await));
    } finally {
      putInOrder();
    }
  }

  /** Draws the screen; returns the stream offset that it includes. */
  private long draw(long at) {
    console.write(client.screen(taskId, at, "ansi", false));
    return client.screen(taskId, at).offset();
  }

  private OutputSink sink(long drawn, LongConsumer await) {
    var isTerminal = console.terminal().outIsTerminal();
    return new OutputSink() {
      private final QueryFilter filter = new QueryFilter();
      private boolean begun = drawn == 0;

      @Override
      public void frame(EventFrame frame) {
        if (frame.type().equals("tool_task_output_delta")) {
          await.accept(FrameTimes.of(frame));
        }
      }

      @Override
      public void output(LogStream stream, long offset, byte[] bytes) {
        if (!begun && offset > drawn) {
          // An incomplete sequence or character that the screen does not include yet.
          var missing = client.output(taskId, stream, drawn, (int) (offset - drawn));
          write(missing.bytes());
        }
        begun = true;
        write(bytes);
      }

      private void write(byte[] bytes) {
        console.write(isTerminal ? filter.next(bytes) : bytes);
      }
    };
  }

  private void putInOrder() {
    if (isInOrder.compareAndSet(false, true)) {
      console.write(IN_ORDER.replace("\\e", "\u001b"));
    }
  }
}
