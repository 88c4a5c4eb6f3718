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

/** Reads {@code /proc}. Each process may be gone before the next call. */
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
   * The identity of a process, and its parent, group and session.
   *
   * @param name of its program as the kernel stores it: the first 15 bytes, which may be any bytes
   */
  public record Stat(
      long pid, char state, long parent, long group, long session, long startTicks, String name) {

    /** Whether it is a zombie: dead, and not yet reaped by its parent. */
    public boolean alive() {
      return state != 'Z' && state != 'X';
    }
  }

  public static Optional<Stat> stat(long pid) {
    return stat(pid, read(PROC.resolve(pid + "/stat")));
  }

  /**
   * The same, but throws if the process could not be inspected, which does not prove that it is
   * gone.
   */
  public static Optional<Stat> look(long pid) throws KernelException {
    return stat(pid, look(PROC.resolve(pid + "/stat")));
  }

  private static Optional<Stat> stat(long pid, String text) {
    // The program's name is in parentheses and may itself contain blanks and parentheses.
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
   * The limits of real-time run time of a process, in microseconds; empty if it has none or is
   * gone.
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

  /** The program and arguments of a process, separated by blanks; its short name if it has none. */
  public static String commandLine(Stat process) {
    var text = read(PROC.resolve(process.pid() + "/cmdline"));
    var line = new String(text.getBytes(ISO_8859_1), UTF_8).replace('\0', ' ').strip();
    return line.isEmpty() ? process.name() : line;
  }

  /** The control groups of a process, one per line; empty if it is gone. */
  public static List<String> controlGroups(long pid) {
    return read(PROC.resolve(pid + "/cgroup")).lines().toList();
  }

  /** What a process inherits: its limits of real-time run time, and one environment variable. */
  public record Heritage(RealtimeLimits realtime, Optional<String> variable) {}

  /**
   * Throws if the process could not be inspected, as {@link #look}; empty if the process is gone.
   */
  public static Heritage heritage(long pid, String variable) throws KernelException {
    return new Heritage(
        realtimeLimits(look(PROC.resolve(pid + "/limits"))),
        variable(look(PROC.resolve(pid + "/environ")), variable));
  }

  /** All processes of the machine. */
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

  /**
   * Identifies the network namespace of the process; empty if it is gone or may not be inspected.
   */
  public static String network(long pid) {
    try {
      return Files.readSymbolicLink(PROC.resolve(pid + "/ns/net")).toString();
    } catch (IOException _) {
      return "";
    }
  }

  /** The ids of our own threads whose name starts with one of these prefixes. */
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
   * The children of our main thread. The orphans of the tasks are among them, because the kernel
   * gives them to the first thread of the subreaper; the children that we started belong to the
   * thread that started them. Empty if this kernel does not keep such lists.
   */
  public static Optional<List<Long>> adopted() throws KernelException {
    return OwnChildren.FILE < 0 ? Optional.empty() : Optional.of(pidsIn(all(OwnChildren.FILE)));
  }

  /**
   * The processes that this one has taken over from others: the children of its main thread. Empty
   * also if it is gone, or this kernel keeps no such lists.
   */
  public static List<Long> adoptedBy(long pid) {
    return childrenListed(pid, pid).orElse(List.of());
  }

  /** Stays open, so that it can be read when no descriptors are left. */
  private static final class OwnChildren {
    static final int FILE =
        CHILDREN_LISTED ? Descriptors.open("/proc/" + SELF + "/task/" + SELF + "/children") : -1;
  }

  /**
   * The children that one of our threads started; searches all processes if the kernel keeps no
   * lists.
   */
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
   * The children of a process; none if that process is gone or its pid was reused, since its
   * children then have another parent. A child that starts or dies during the read may hide another
   * one. Empty too if this kernel does not keep such lists.
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

  /** The number of threads of our user, which the kernel counts against its limit. */
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

  /** The uptime of the machine in the kernel's ticks (100 per second). */
  public static long uptimeTicks() throws KernelException {
    var seconds = look(PROC.resolve("uptime")).split(" ", 2)[0];
    return seconds.isEmpty() ? 0 : Math.round(Double.parseDouble(seconds) * TICKS_PER_SECOND);
  }

  /** Identifies this boot of the machine: pids and start times are valid only within one boot. */
  public static String bootId() {
    return read(PROC.resolve("sys/kernel/random/boot_id")).strip();
  }

  /** The peak memory of a living process; 0 if the kernel does not report it. */
  public static long peakResidentBytes(long pid) {
    var text = read(PROC.resolve(pid + "/status"));
    var at = text.indexOf("VmHWM:");
    var end = text.indexOf(" kB", at);
    if (at < 0 || end < 0) {
      return 0;
    }
    return Long.parseLong(text.substring(at + "VmHWM:".length(), end).strip()) << 10;
  }

  /** Whether a process ignores that signal. */
  public static boolean ignores(long pid, PosixSignal signal) {
    var text = read(PROC.resolve(pid + "/status"));
    var at = text.indexOf(IGNORED_LINE);
    var end = text.indexOf('\n', Math.max(0, at));
    if (at < 0 || end < 0) {
      return false;
    }
    var mask = text.substring(at + IGNORED_LINE.length(), end).strip();
    return (Long.parseUnsignedLong(mask, 16) >> (signal.number() - 1) & 1) != 0;
  }

  /** The processor time of a process and the children that it waited for, in the kernel's ticks. */
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

  /** A process and its descendants, as far as the kernel keeps lists of children. */
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

  /** The number of open descriptors of this process. */
  public static int openDescriptors() {
    var names = PROC.resolve("self/fd").toFile().list();
    return names == null ? 0 : names.length;
  }

  /** Makes the kernel kill this process before us when memory runs out; a refusal is ignored. */
  public static void raiseOomScore(long pid, int by) {
    try (var file = new FileOutputStream("/proc/" + pid + "/oom_score_adj")) {
      var own = Integer.parseInt(read(PROC.resolve("self/oom_score_adj")).strip());
      file.write(Integer.toString(Math.min(1000, own + by)).getBytes(ISO_8859_1));
    } catch (IOException | NumberFormatException _) {
      // The process may be gone, and some kernels have no such file.
    }
  }

  /** Empty if the process is gone or its file cannot be read. */
  private static String read(Path file) {
    try {
      return look(file);
    } catch (KernelException _) {
      return "";
    }
  }

  /** Empty if the process is gone or its file may not be read. */
  private static String look(Path file) throws KernelException {
    // This runs for each task, and makes fewer system calls than the file classes of Java.
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

  /**
   * If the error concerns this process, such as a lack of descriptors, it says nothing about the
   * other one.
   */
  private static String nothing(String call, int errno) throws KernelException {
    return switch (errno) {
      case Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.EINTR, Errno.EAGAIN ->
          throw new KernelException(call, errno);
      default -> "";
    };
  }
}
