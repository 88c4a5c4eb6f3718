package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What {@code /proc} tells about processes. All of it may be gone by the next look. */
public final class ProcFs {
  private static final Path PROC = Path.of("/proc");
  private static final String REALTIME_LINE = "Max realtime timeout";
  private static final String IGNORED_LINE = "SigIgn:";
  private static final int TICKS_PER_SECOND = 100;
  private static final int PIECE_BYTES = 4 << 10;
  private static final long SELF = ProcessHandle.current().pid();
  private static final boolean CHILDREN_LISTED =
      Files.exists(PROC.resolve(SELF + "/task/" + SELF + "/children"));

  private ProcFs() {}

  /**
   * Who a process is and where it hangs.
   *
   * @param name of its program as the kernel keeps it: the first 15 bytes, whatever they are
   */
  public record Stat(
      long pid, char state, long parent, long group, long session, long startTicks, String name) {

    /** A zombie is dead: it only waits for its parent to look. */
    public boolean alive() {
      return state != 'Z' && state != 'X';
    }
  }

  public static Optional<Stat> stat(long pid) {
    return stat(pid, read(PROC.resolve(pid + "/stat")));
  }

  /** The same for whom not to have been able to look must not mean that the process is gone. */
  public static Optional<Stat> look(long pid) throws KernelException {
    return stat(pid, look(PROC.resolve(pid + "/stat")));
  }

  private static Optional<Stat> stat(long pid, String text) {
    // The program's name stands in brackets and may hold blanks and brackets itself.
    var nameEnd = text.lastIndexOf(')');
    if (nameEnd < 0) {
      return Optional.empty();
    }
    var fields = text.substring(nameEnd + 2).split(" ", -1);
    return Optional.of(
        new Stat(
            pid,
            fields[0].charAt(0),
            Long.parseLong(fields[1]),
            Long.parseLong(fields[2]),
            Long.parseLong(fields[3]),
            Long.parseLong(fields[19]),
            text.substring(text.indexOf('(') + 1, nameEnd)));
  }

  /**
   * The limits of real-time run time of a process, in microseconds; empty where there is none, or
   * the process is gone.
   */
  public record RealtimeLimits(OptionalLong soft, OptionalLong hard) {}

  public static RealtimeLimits realtimeLimits(long pid) {
    return realtimeLimits(read(PROC.resolve(pid + "/limits")));
  }

  private static RealtimeLimits realtimeLimits(String text) {
    var line = text.indexOf(REALTIME_LINE);
    if (line < 0) {
      return new RealtimeLimits(OptionalLong.empty(), OptionalLong.empty());
    }
    var values = text.substring(line + REALTIME_LINE.length()).strip().split(" +", 3);
    return new RealtimeLimits(limit(values[0]), limit(values.length > 1 ? values[1] : ""));
  }

  private static OptionalLong limit(String word) {
    return word.isEmpty() || !Character.isDigit(word.charAt(0))
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(word));
  }

  /** The value of one variable in the environment with which the process was started. */
  public static Optional<String> variable(long pid, String name) {
    return variable(read(PROC.resolve(pid + "/environ")), name);
  }

  private static Optional<String> variable(String text, String name) {
    var wanted = name + "=";
    var at = text.startsWith(wanted) ? 0 : text.indexOf("\0" + wanted) + 1;
    if (at == 0 && !text.startsWith(wanted)) {
      return Optional.empty();
    }
    var end = text.indexOf('\0', at);
    return Optional.of(text.substring(at + wanted.length(), end < 0 ? text.length() : end));
  }

  /** Program and arguments of a process with blanks between; its short name where it has none. */
  public static String commandLine(Stat process) {
    var text = read(PROC.resolve(process.pid() + "/cmdline"));
    var line = new String(text.getBytes(ISO_8859_1), UTF_8).replace('\0', ' ').strip();
    return line.isEmpty() ? process.name() : line;
  }

  /** The control groups that a process is in, a line each; empty where it is gone. */
  public static List<String> controlGroups(long pid) {
    return read(PROC.resolve(pid + "/cgroup")).lines().toList();
  }

  /** What a process inherits: its limits of real-time run time, and one variable. */
  public record Heritage(RealtimeLimits realtime, Optional<String> variable) {}

  /** Fails where we could not look, as {@link #look}; of who is gone there is nothing. */
  public static Heritage heritage(long pid, String variable) throws KernelException {
    return new Heritage(
        realtimeLimits(look(PROC.resolve(pid + "/limits"))),
        variable(look(PROC.resolve(pid + "/environ")), variable));
  }

  /** All processes there are. */
  public static List<Long> pids() throws IOException {
    var pids = new ArrayList<Long>();
    try (var entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (var entry : entries) {
        pids.add(Long.parseLong(entry.getFileName().toString()));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return pids;
  }

  /** Names the network that the process sees; empty where it is gone or may not be looked at. */
  public static String network(long pid) {
    try {
      return Files.readSymbolicLink(PROC.resolve(pid + "/ns/net")).toString();
    } catch (IOException _) {
      return "";
    }
  }

  /** Those of our own threads whose name begins like one of these. */
  static List<Integer> threadsNamed(String... prefixes) {
    var found = new ArrayList<Integer>();
    try (var threads = Files.newDirectoryStream(PROC.resolve("self/task"))) {
      for (var thread : threads) {
        var name = read(thread.resolve("comm"));
        if (Stream.of(prefixes).anyMatch(name::startsWith)) {
          found.add(Integer.parseInt(thread.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the threads of this process", e);
    }
    return found;
  }

  /**
   * The children of our main thread. Orphans of the tasks end up here, because the kernel hands
   * them to the first thread of the subreaper, while those that we started hang on the thread that
   * did. Empty where this kernel does not keep such lists.
   */
  public static Optional<List<Long>> adopted() throws KernelException {
    return OwnChildren.FILE < 0 ? Optional.empty() : Optional.of(pidsIn(all(OwnChildren.FILE)));
  }

  /** Held open for ever, so that it can be read when there are no more descriptors to be had. */
  private static final class OwnChildren {
    static final int FILE =
        CHILDREN_LISTED ? Descriptors.open("/proc/" + SELF + "/task/" + SELF + "/children") : -1;
  }

  /** The children that one of our threads made; by looking at all processes if need be. */
  public static List<Long> children(long thread) {
    return childrenListed(SELF, thread).orElseGet(() -> childrenOf(SELF));
  }

  private static Optional<List<Long>> childrenListed(long pid, long thread) {
    return CHILDREN_LISTED
        ? Optional.of(pidsIn(read(PROC.resolve(pid + "/task/" + thread + "/children"))))
        : Optional.empty();
  }

  private static List<Long> pidsIn(String text) {
    var pids = new ArrayList<Long>();
    for (var word : text.split(" ", -1)) {
      if (!word.isBlank()) {
        pids.add(Long.parseLong(word.strip()));
      }
    }
    return pids;
  }

  /**
   * The children of a process; nobody where that is gone or another by now, since its children have
   * gone to others then. One that is made or dies under the look may hide another from it. Empty
   * too where this kernel does not keep such lists.
   */
  public static List<Stat> childrenOf(Stat parent) throws KernelException {
    var children = new ArrayList<Stat>();
    var threads = PROC.resolve(parent.pid() + "/task");
    var names = threads.toFile().list();
    for (var thread : names == null ? new String[0] : names) {
      for (var pid : pidsIn(look(threads.resolve(thread + "/children")))) {
        look(pid).filter(it -> it.parent() == parent.pid()).ifPresent(children::add);
      }
    }
    var same = look(parent.pid()).filter(it -> it.startTicks() == parent.startTicks()).isPresent();
    return same ? children : List.of();
  }

  private static List<Long> childrenOf(long parent) {
    try {
      return pids().stream()
          .filter(it -> stat(it).filter(stat -> stat.parent() == parent).isPresent())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many threads our user has, which is what the kernel counts against its limit. */
  public static long ownThreads() throws IOException {
    var user = OwnProcess.userId();
    var threads = 0L;
    for (var pid : pids()) {
      var process = PROC.resolve(Long.toString(pid));
      try {
        var owner = (Integer) Files.getAttribute(process, "unix:uid");
        var names = owner == user ? process.resolve("task").toFile().list() : null;
        threads += names == null ? 0 : names.length;
      } catch (IOException _) {
        // It has just ended.
      }
    }
    return threads;
  }

  /** How long the machine has been up, in the kernel's ticks, of which there are 100 a second. */
  public static long uptimeTicks() throws KernelException {
    var seconds = look(PROC.resolve("uptime")).split(" ", 2)[0];
    return seconds.isEmpty() ? 0 : Math.round(Double.parseDouble(seconds) * TICKS_PER_SECOND);
  }

  /** Names this run of the machine: pids and start times mean nothing in another one. */
  public static String bootId() {
    return read(PROC.resolve("sys/kernel/random/boot_id")).strip();
  }

  /** The most memory that a living process ever held; 0 where the kernel does not say. */
  public static long peakResidentBytes(long pid) {
    var text = read(PROC.resolve(pid + "/status"));
    var at = text.indexOf("VmHWM:");
    var end = text.indexOf(" kB", at);
    if (at < 0 || end < 0) {
      return 0;
    }
    return Long.parseLong(text.substring(at + "VmHWM:".length(), end).strip()) << 10;
  }

  /** Whether a process has chosen not to hear that signal. */
  public static boolean ignores(long pid, Signal signal) {
    var text = read(PROC.resolve(pid + "/status"));
    var at = text.indexOf(IGNORED_LINE);
    var end = text.indexOf('\n', Math.max(0, at));
    if (at < 0 || end < 0) {
      return false;
    }
    var mask = text.substring(at + IGNORED_LINE.length(), end).strip();
    return (Long.parseUnsignedLong(mask, 16) >> (signal.number() - 1) & 1) != 0;
  }

  /** How long a process and its waited-for children have worked, in the kernel's ticks. */
  public static long busyTicks(long pid) {
    var text = read(PROC.resolve(pid + "/stat"));
    var nameEnd = text.lastIndexOf(')');
    if (nameEnd < 0) {
      return 0;
    }
    var fields = text.substring(nameEnd + 2).split(" ", -1);
    return Long.parseLong(fields[11])
        + Long.parseLong(fields[12])
        + Long.parseLong(fields[13])
        + Long.parseLong(fields[14]);
  }

  /** A process and what hangs below it, as far as the kernel keeps lists of children. */
  public static List<Long> tree(long root, int max) {
    var tree = new ArrayList<>(List.of(root));
    for (var i = 0; i < tree.size() && tree.size() < max; i++) {
      var pid = tree.get(i);
      var threads = PROC.resolve(pid + "/task").toFile().list();
      for (var thread : threads == null ? new String[0] : threads) {
        childrenListed(pid, Long.parseLong(thread)).ifPresent(tree::addAll);
      }
    }
    return tree;
  }

  /** How many descriptors we hold. */
  public static int openDescriptors() {
    var names = PROC.resolve("self/fd").toFile().list();
    return names == null ? 0 : names.length;
  }

  /**
   * Makes the kernel prefer this process to us when memory runs out; refused is as good as done.
   */
  public static void raiseOomScore(long pid, int by) {
    try (var file = new FileOutputStream("/proc/" + pid + "/oom_score_adj")) {
      var own = Integer.parseInt(read(PROC.resolve("self/oom_score_adj")).strip());
      file.write(Integer.toString(Math.min(1000, own + by)).getBytes(ISO_8859_1));
    } catch (IOException | NumberFormatException _) {
      // The process may be gone already, and some kernels have no such file.
    }
  }

  /** Empty when the process is gone or its file may not or cannot be read. */
  private static String read(Path file) {
    try {
      return look(file);
    } catch (KernelException _) {
      return "";
    }
  }

  /** Empty when the process is gone or its file may not be read. */
  private static String look(Path file) throws KernelException {
    // Each task is asked about, and this asks the kernel less than Java's own files do.
    var fd = Descriptors.open(file.toString());
    if (fd < 0) {
      return nothing("open", -fd);
    }
    try {
      return all(fd);
    } finally {
      Descriptors.close(fd);
    }
  }

  private static String all(int fd) throws KernelException {
    var text = new StringBuilder();
    try (var arena = Arena.ofConfined()) {
      var bytes = arena.allocate(PIECE_BYTES);
      for (var offset = 0L; ; ) {
        var count = Descriptors.readAt(fd, bytes, offset);
        if (count < 0) {
          return nothing("read", (int) -count);
        }
        if (count == 0) {
          return text.toString();
        }
        text.append(new String(bytes.asSlice(0, count).toArray(JAVA_BYTE), ISO_8859_1));
        offset += count;
      }
    }
  }

  /** Where it is we who lack something to look with, nothing is said about who is there. */
  private static String nothing(String call, int errno) throws KernelException {
    return switch (errno) {
      case Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.EINTR, Errno.EAGAIN ->
          throw new KernelException(call, errno);
      default -> "";
    };
  }
}
