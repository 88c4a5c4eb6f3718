package dev.errand.daemon.condition;

import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.host.linux.ListeningSocket;
import dev.errand.host.linux.ProcFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of tasks that listen on the ports that callers wait for. One thread reads the
 * kernel's tables for all of them, as reads of {@code /proc} block the carrier of a virtual thread.
 * A caller gets what was read last, and a call keeps its port wanted for a while.
 */
public final class ListeningPorts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ListeningPorts.class);

  /** The kernel gives no notice of a new listening socket, so its tables are read this often. */
  static final Duration POLL = Duration.ofMillis(150);

  /** A socket whose holder is known, or is of no task, is checked again after this time. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /** A port that no caller asked for in this time is no longer wanted. */
  private static final Duration WANTED_FOR = Duration.ofSeconds(5);

  /**
   * After a read the thread pauses for this many times its duration: 10 % of a processor at most.
   */
  private static final int REST_FACTOR = 9;

  private final TaskProcesses processes;
  private final Time clock;
  private final Map<Wanted, Long> wantedAtNanos = new ConcurrentHashMap<>();
  private final Semaphore asked = new Semaphore(0);
  private volatile Map<Wanted, List<Server>> seen = Map.of();
  private volatile @Nullable Thread thread;

  private final Map<Long, List<Opened>> openedBy = new HashMap<>();
  private final Set<Long> searched = new HashSet<>();
  private Map<Long, String> networks = new HashMap<>();
  private long lookedAtNanos;
  private long searchAgainNanos;

  /**
   * A port that a caller waits for, in the network of this process.
   *
   * @param taskId the task whose process must listen; null for any
   */
  record Wanted(@Nullable TaskId taskId, long pid, int port) {}

  /** The process that listens, and its address. */
  record Holder(String address, long pid) {}

  /** A listening socket, and the tasks that have it open; empty if no task has. */
  record Server(ListeningSocket socket, List<Opened> openers) {
    Server {
      openers = List.copyOf(openers);
    }
  }

  /** A socket as a process of a task has it open. */
  record Opened(ListeningSocket.Descriptor descriptor, TaskId taskId) {}

  public ListeningPorts(TaskProcesses processes, Time clock) {
    this.processes = processes;
    this.clock = clock;
  }

  public ListeningPorts start() {
    lookedAtNanos = clock.ticks();
    searchAgainNanos = lookedAtNanos;
    thread = Thread.ofPlatform().daemon().name("port-reader").start(this::run);
    return this;
  }

  /** The process of the task that was seen to listen; empty also until the first read. */
  Optional<Holder> holder(Wanted wanted) {
    for (var server : servers(wanted)) {
      for (var it : server.openers()) {
        if (it.taskId().equals(wanted.taskId())) {
          return Optional.of(new Holder(server.socket().address(), it.descriptor().pid()));
        }
      }
    }
    return Optional.empty();
  }

  /** All sockets that were seen to listen there; empty also until the first read after the call. */
  List<Server> servers(Wanted wanted) {
    wantedAtNanos.put(wanted, clock.ticks());
    if (asked.availablePermits() == 0) {
      asked.release();
    }
    return seen.getOrDefault(wanted, List.of());
  }

  private void run() {
    try {
      while (true) {
        if (wantedAtNanos.isEmpty()) {
          asked.acquire();
        }
        asked.drainPermits();
        var took = read();
        clock.sleep(Duration.ofNanos(Math.max(POLL.toNanos(), REST_FACTOR * took)));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the nanoseconds that it took. */
  private long read() {
    var began = clock.ticks();
    try {
      wantedAtNanos.values().removeIf(it -> began - it > WANTED_FOR.toNanos());
      read(Set.copyOf(wantedAtNanos.keySet()), began);
    } catch (RuntimeException e) {
      log.error("the ports that tasks listen on cannot be read; trying again", e);
    }
    return clock.ticks() - began;
  }

  private void read(Set<Wanted> wanted, long now) {
    var again = now - lookedAtNanos >= LOOK_AGAIN.toNanos();
    if (again) {
      lookedAtNanos = now;
      networks = new HashMap<>();
      openedBy.values().forEach(list -> list.removeIf(it -> !it.descriptor().isOpen()));
    }
    var sockets = sockets(wanted);
    var inodes = new HashSet<Long>();
    sockets.values().forEach(list -> list.forEach(it -> inodes.add(it.inode())));
    openedBy.keySet().retainAll(inodes);
    searched.retainAll(inodes);
    if (now >= searchAgainNanos && isSearchDue(sockets, inodes, again)) {
      search(inodes);
    }
    var servers = new HashMap<Wanted, List<Server>>();
    sockets.forEach((it, there) -> servers.put(it, servers(there)));
    seen = servers;
  }

  private List<Server> servers(List<ListeningSocket> sockets) {
    return sockets.stream()
        .map(it -> new Server(it, openedBy.getOrDefault(it.inode(), List.of())))
        .toList();
  }

  /** What listens on each wanted port; the table of a network is read once for all in it. */
  private Map<Wanted, List<ListeningSocket>> sockets(Set<Wanted> wanted) {
    var tables = new HashMap<String, Map<Integer, List<ListeningSocket>>>();
    var sockets = new HashMap<Wanted, List<ListeningSocket>>();
    for (var it : wanted) {
      var network = networks.computeIfAbsent(it.pid(), ProcFs::network);
      var table = tables.computeIfAbsent(network, _ -> ListeningSocket.seenBy(it.pid()));
      var there = table.get(it.port());
      if (there != null) {
        sockets.put(it, there);
      }
    }
    return sockets;
  }

  /** Whether a socket is new, or it is time to check whether a task has it open now. */
  private boolean isSearchDue(
      Map<Wanted, List<ListeningSocket>> sockets, Set<Long> inodes, boolean again) {
    return !searched.containsAll(inodes)
        || (again
            && sockets.entrySet().stream().anyMatch(it -> isUnheld(it.getKey(), it.getValue())));
  }

  private boolean isUnheld(Wanted wanted, List<ListeningSocket> sockets) {
    var taskId = wanted.taskId();
    return taskId == null
        ? sockets.stream().anyMatch(it -> !openedBy.containsKey(it.inode()))
        : sockets.stream()
            .flatMap(it -> openedBy.getOrDefault(it.inode(), List.of()).stream())
            .noneMatch(it -> it.taskId().equals(taskId));
  }

  private void search(Set<Long> inodes) {
    var began = clock.ticks();
    searched.addAll(inodes);
    openedBy.clear();
    for (var pid : pids()) {
      for (var descriptor : ListeningSocket.openIn(pid, inodes)) {
        processes
            .taskOf(pid)
            .ifPresent(it ->
                openedBy
                    .computeIfAbsent(descriptor.inode(), _ -> new ArrayList<>())
                    .add(new Opened(descriptor, it)));
      }
    }
    var ended = clock.ticks();
    searchAgainNanos = ended + REST_FACTOR * (ended - began);
  }

  private static List<Long> pids() {
    try {
      return ProcFs.pids();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    var running = thread;
    if (running != null) {
      running.interrupt();
    }
  }
}
