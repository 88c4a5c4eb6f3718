package dev.errand.cli.attach;

import dev.errand.cli.terminal.Console;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.AttachEvent;
import dev.errand.wire.client.AttachOptions;
import dev.errand.wire.client.Attachment;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One attached terminal, from the first byte to the last. */
public final class AttachSession {
  private static final int KEYS_AT_ONCE = 4 * 1024;

  private static final byte[] BELL = {7};

  private final Console console;
  private final DetachKeys keys;
  private final ChangedModes modes = new ChangedModes();
  private @Nullable TaskStatus ended;

  public AttachSession(Console console, DetachKeys keys) {
    this.console = console;
    this.keys = keys;
  }

  /** The status of the task if it is over; empty if the user detached. */
  public Optional<TaskStatus> run(ErrandClient client, TaskId taskId, AttachOptions options) {
    try (var terminal = RawTerminal.open(() -> console.write(modes.undo()))) {
      var size = terminal.size();
      var sized = options.sized(size.rows(), size.cols());
      try (var attachment = client.attach(taskId, size.rows() > 0 ? sized : options)) {
        join(attachment, terminal, options.view());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the terminal cannot be used: " + e.getMessage(), e);
    }
    return Optional.ofNullable(ended);
  }

  private void join(Attachment attachment, RawTerminal terminal, boolean view) {
    // A refusal comes before the terminal is changed.
    var event = attachment.next();
    terminal.enterRawMode();
    terminal.onResize(() -> follow(attachment, terminal.size()));
    Thread.ofPlatform().daemon().name("keyboard").start(() -> type(attachment, view));
    for (; event != null; event = attachment.next()) {
      show(event);
    }
  }

  private static void follow(Attachment attachment, RawTerminal.Size size) {
    if (size.rows() > 0) {
      attachment.resize(size.rows(), size.cols());
    }
  }

  private void show(AttachEvent event) {
    switch (event) {
      case AttachEvent.Screen(var ansi, _) -> write(bytes(ansi));
      case AttachEvent.Output(_, var bytes) -> write(bytes);
      case AttachEvent.Refused _ -> write(BELL);
      case AttachEvent.Ended(var status) -> ended = status;
      case AttachEvent.Connected _, AttachEvent.Gap _, AttachEvent.Resized _ -> {}
    }
  }

  private void write(byte[] bytes) {
    modes.watch(bytes);
    console.write(bytes);
  }

  private void type(Attachment attachment, boolean view) {
    var read = new byte[KEYS_AT_ONCE];
    try {
      for (var count = console.in().read(read); count >= 0; count = console.in().read(read)) {
        var typed = keys.take(read, count);
        if (typed.help()) {
          console.writeError(bytes("\r\n" + keys.help() + "\r\n"));
        }
        if (!view && typed.forTask().length > 0) {
          attachment.type(typed.forTask());
        }
        if (typed.detach()) {
          break;
        }
      }
    } catch (IOException e) {
      // The terminal is gone.
    } finally {
      Arrays.fill(read, (byte) 0);
      attachment.close();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
