package dev.errand.host.linux;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process in the foreground of a terminal that seems to wait for input there.
 *
 * @param timed whether it waits with a time-out, as a program that redraws every second does
 */
public record TerminalReader(long pid, Sureness sureness, boolean timed) {
  private static final int PROCESSES_MAX = 256;
  private static final int THREADS_MAX = 64;

  /** The positions of the fields in {@code stat} after the program's name. */
  private static final int TERMINAL = 4;

  private static final int FOREGROUND = 5;

  /** A read of a terminal sleeps in the first of these states too. */
  private static final List<String> WAITING_FUNCTIONS =
      List.of(
          "wait_woken",
          "do_select",
          "do_poll",
          "do_sys_poll",
          "ep_poll",
          "do_epoll_wait",
          "poll_schedule_timeout");

  /** How certain it is that the process reads the terminal. */
  public enum Sureness {
    /** It sleeps; the kernel does not say in which call. */
    LOW,
    /** It waits for one of several descriptors and has the terminal open. */
    MEDIUM,
    /** It sleeps in a read of the terminal. */
    HIGH
  }

  /** The most certain reader of the terminal whose session this process leads. */
  public static Optional<TerminalReader> of(long leader) {
    var fields = fields(leader);
    if (fields.length <= FOREGROUND) {
      return Optional.empty();
    }
    var foreground = Long.parseLong(fields[FOREGROUND]);
    var terminal = "pts/" + minor(Long.parseLong(fields[TERMINAL]));
    Optional<TerminalReader> best = Optional.empty();
    for (var pid : ProcFs.tree(leader, PROCESSES_MAX)) {
      var stat = ProcFs.stat(pid);
      if (stat.isEmpty() || stat.get().group() != foreground || stat.get().state() != 'S') {
        continue;
      }
      for (var thread : threads(pid)) {
        var found = waiting(Path.of("/proc/" + pid + "/task/" + thread), terminal);
        var reader = found.map(it -> new TerminalReader(pid, it.sureness(), it.timed()));
        if (reader.isPresent() && best.filter(it -> it.isSurer(reader.get())).isEmpty()) {
          best = reader;
        }
      }
    }
    return best;
  }

  /**
   * Whether the terminal delivers each key at once, as menus and editors need it; false if that
   * cannot be found out.
   */
  public boolean readsKeys() {
    for (var descriptor : descriptors(Path.of("/proc/" + pid))) {
      if (isTerminal(descriptor, "")) {
        return Terminals.modeOf(descriptor.toString()).filter(it -> !it.canonical()).isPresent();
      }
    }
    return false;
  }

  private static List<String> threads(long pid) {
    var threads = new File("/proc/" + pid + "/task").list();
    var looked = threads == null ? List.<String>of() : List.of(threads);
    return looked.subList(0, Math.min(looked.size(), THREADS_MAX));
  }

  private boolean isSurer(TerminalReader other) {
    var order = sureness.compareTo(other.sureness);
    return order > 0 || (order == 0 && (!timed || other.timed));
  }

  /** The kernel distributes the device number over the bits of this field. */
  static long minor(long device) {
    return (device & 0xff) | ((device >> 12) & 0xfff00);
  }

  private static String[] fields(long pid) {
    var stat = read(Path.of("/proc/" + pid + "/stat"));
    var nameEnd = stat.lastIndexOf(')');
    return nameEnd < 0 ? new String[0] : stat.substring(nameEnd + 2).split(" ", -1);
  }

  /** How a thread waits, if it waits. */
  private record Waiting(Sureness sureness, boolean timed) {}

  private static Optional<Waiting> waiting(Path thread, String terminal) {
    var text = read(thread.resolve("syscall")).strip();
    if (text.isEmpty()) {
      return byFunction(thread, read(thread.resolve("wchan")).strip(), terminal)
          .map(it -> new Waiting(it, false));
    }
    var call = WaitingCall.of(text);
    if (call == null) {
      return Optional.empty();
    }
    if (call.isRead()) {
      return isTerminal(thread.resolve("fd/" + call.argument(0)), terminal)
          ? Optional.of(new Waiting(Sureness.HIGH, false))
          : Optional.empty();
    }
    return call.isWait() && hasOpen(thread, terminal)
        ? Optional.of(new Waiting(Sureness.MEDIUM, call.isTimed()))
        : Optional.empty();
  }

  /**
   * The call may be hidden, but the name of the kernel function in which the thread sleeps may be
   * visible.
   */
  private static Optional<Sureness> byFunction(Path thread, String function, String terminal) {
    if (function.contains("n_tty_read")) {
      return Optional.of(Sureness.HIGH);
    }
    if (WAITING_FUNCTIONS.stream().anyMatch(function::contains)) {
      return hasOpen(thread, terminal) ? Optional.of(Sureness.MEDIUM) : Optional.empty();
    }
    return function.isEmpty() || function.equals("0")
        ? Optional.of(Sureness.LOW)
        : Optional.empty();
  }

  private static boolean hasOpen(Path process, String terminal) {
    return descriptors(process).stream().anyMatch(it -> isTerminal(it, terminal));
  }

  private static List<Path> descriptors(Path process) {
    var files = process.resolve("fd").toFile().listFiles();
    return files == null ? List.of() : Stream.of(files).map(File::toPath).toList();
  }

  /** Whether it is this terminal, or any terminal if none is named. */
  private static boolean isTerminal(Path descriptor, String terminal) {
    try {
      var target = Files.readSymbolicLink(descriptor).toString();
      var isNamed = terminal.isEmpty() ? target.contains("/pts/") : target.endsWith("/" + terminal);
      return isNamed || target.equals("/dev/tty");
    } catch (IOException _) {
      return false;
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), ISO_8859_1);
    } catch (IOException _) {
      // It is gone, or may not be inspected.
      return "";
    }
  }
}
