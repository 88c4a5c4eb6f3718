package dev.errand.host.linux;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A process in the foreground of a terminal that seems to wait for what is typed there. */
public record TerminalReader(long pid, Sureness sureness) {
  private static final int PROCESSES_MAX = 256;
  private static final int THREADS_MAX = 64;

  /** Where the fields stand in {@code stat} behind the program's name. */
  private static final int TERMINAL = 4;

  private static final int FOREGROUND = 5;

  private static final boolean X86 = "amd64".equals(System.getProperty("os.arch"));

  /** The numbers of read and readv. */
  private static final Set<Long> READS = X86 ? Set.of(0L, 19L) : Set.of(63L, 65L);

  /** The numbers of select, poll, epoll_wait and what became of them. */
  private static final Set<Long> WAITS =
      X86 ? Set.of(7L, 23L, 232L, 270L, 271L, 281L, 441L) : Set.of(22L, 72L, 73L, 441L);

  /** In the first of them a read of a terminal sleeps too. */
  private static final List<String> WAITING_FUNCTIONS =
      List.of("wait_woken", "do_select", "do_poll", "ep_poll", "poll_schedule_timeout");

  /** How well it is known. */
  public enum Sureness {
    /** It sleeps; the kernel does not say in what. */
    LOW,
    /** It waits for one of several things, and has the terminal open. */
    MEDIUM,
    /** It sleeps in a read of the terminal. */
    HIGH
  }

  /** The surest one of the terminal that this process leads the session of. */
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
      var found = sureness(pid, terminal).map(it -> new TerminalReader(pid, it));
      if (found.isPresent() && best.filter(it -> it.isSurer(found.get())).isEmpty()) {
        best = found;
      }
    }
    return best;
  }

  private boolean isSurer(TerminalReader other) {
    return sureness.compareTo(other.sureness) >= 0;
  }

  /** The kernel spreads the number of a device over the bits of this one. */
  static long minor(long device) {
    return (device & 0xff) | ((device >> 12) & 0xfff00);
  }

  private static String[] fields(long pid) {
    var stat = read(Path.of("/proc/" + pid + "/stat"));
    var nameEnd = stat.lastIndexOf(')');
    return nameEnd < 0 ? new String[0] : stat.substring(nameEnd + 2).split(" ", -1);
  }

  private static Optional<Sureness> sureness(long pid, String terminal) {
    var best = Optional.<Sureness>empty();
    var threads = new File("/proc/" + pid + "/task").list();
    var looked = threads == null ? List.<String>of() : List.of(threads);
    for (var thread : looked.subList(0, Math.min(looked.size(), THREADS_MAX))) {
      var folder = Path.of("/proc/" + pid + "/task/" + thread);
      var found = sureness(folder, read(folder.resolve("syscall")), terminal);
      if (found.isPresent() && best.filter(it -> it.compareTo(found.get()) >= 0).isEmpty()) {
        best = found;
      }
    }
    return best;
  }

  private static Optional<Sureness> sureness(Path thread, String syscall, String terminal) {
    var words = syscall.strip().split(" ", -1);
    if (words[0].isEmpty()) {
      return byFunction(thread, read(thread.resolve("wchan")).strip(), terminal);
    }
    if (words.length < 2 || !words[0].matches("\\d{1,4}")) {
      return Optional.empty();
    }
    var call = Long.parseLong(words[0]);
    if (READS.contains(call)) {
      var descriptor = Long.decode(words[1]);
      return isTerminal(thread.resolve("fd/" + descriptor), terminal)
          ? Optional.of(Sureness.HIGH)
          : Optional.empty();
    }
    return WAITS.contains(call) && hasOpen(thread, terminal)
        ? Optional.of(Sureness.MEDIUM)
        : Optional.empty();
  }

  /** We may not see the call, but maybe the name of the kernel's function in which it sleeps. */
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

  private static boolean hasOpen(Path thread, String terminal) {
    var descriptors = thread.resolve("fd").toFile().listFiles();
    for (var descriptor : descriptors == null ? new File[0] : descriptors) {
      if (isTerminal(descriptor.toPath(), terminal)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTerminal(Path descriptor, String terminal) {
    try {
      var target = Files.readSymbolicLink(descriptor).toString();
      return target.endsWith("/" + terminal) || target.equals("/dev/tty");
    } catch (IOException _) {
      return false;
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), ISO_8859_1);
    } catch (IOException _) {
      // It is gone, or we may not look.
      return "";
    }
  }
}
