package dev.errand.daemon.condition;

import dev.errand.core.engine.Engine;
import dev.errand.core.task.ListeningPort;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.host.linux.ListeningSocket;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.process.Tag;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look at the processes of a running task: the TCP ports that they listen on, and whether they
 * are stopped. Nothing of it is recorded. What cannot be read counts as not there, so that a look
 * never fails.
 */
public final class LiveProcesses {
  private static final Logger log = LoggerFactory.getLogger(LiveProcesses.class);

  /** Those with higher numbers are left out. */
  static final int PORTS_MAX = 32;

  /** The further processes of a task are not looked at. */
  private static final int PROCESSES_MAX = 256;

  /**
   * How long what was seen of sockets counts, so that a caller that asks in a loop costs little.
   */
  private static final Duration FRESH = Duration.ofMillis(250);

  /** Above this number of tasks or networks all is forgotten, and read again when asked for. */
  private static final int KEPT_MAX = 1_000;

  private static final char STOPPED = 'T';

  private static final Comparator<ListeningPort> BY_NUMBER =
      Comparator.comparingInt(ListeningPort::port).thenComparing(ListeningPort::address);

  private final Engine engine;
  private final Time clock;
  private final String bootId = ProcFs.bootId();
  private final Map<ProcessIdentity, Kept<List<ListeningPort>>> ports = new ConcurrentHashMap<>();
  private final Map<String, Kept<Map<Long, ListeningSocket>>> networks = new ConcurrentHashMap<>();

  private record Kept<T>(T value, long atNanos) {}

  /** The first process of a task, as it stands now and as its start was recorded. */
  private record Leader(ProcFs.Stat stat, ProcessIdentity identity) {}

  public LiveProcesses(Engine engine, Time clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /** The ports of the task by number, at most 32; none unless it runs on this machine. */
  public List<ListeningPort> ports(TaskId taskId) {
    try {
      return leader(taskId).map(this::ports).orElse(List.of());
    } catch (RuntimeException e) {
      log.debug("the ports of task {} cannot be read", taskId, e);
      return List.of();
    }
  }

  /** Whether the first process of the task and all others of its process group are stopped. */
  public boolean isStopped(TaskId taskId) {
    try {
      return leader(taskId)
          .filter(it -> it.stat().state() == STOPPED)
          .filter(LiveProcesses::isGroupStopped)
          .isPresent();
    } catch (RuntimeException e) {
      log.debug("the processes of task {} cannot be read", taskId, e);
      return false;
    }
  }

  private Optional<Leader> leader(TaskId taskId) {
    var snapshot = engine.liveSnapshot(taskId);
    if (snapshot.isEmpty() || !(snapshot.get().state() instanceof TaskState.Running running)) {
      return Optional.empty();
    }
    var identity = running.process();
    if (!identity.bootId().equals(bootId)) {
      return Optional.empty();
    }
    return ProcFs.stat(identity.pid())
        .filter(it -> it.alive() && it.startTicks() == identity.startTicks())
        .map(it -> new Leader(it, identity));
  }

  private static boolean isGroupStopped(Leader leader) {
    return processes(leader).stream()
        .flatMap(it -> ProcFs.stat(it).stream())
        .filter(it -> it.alive() && it.group() == leader.stat().group())
        .allMatch(it -> it.state() == STOPPED);
  }

  private List<ListeningPort> ports(Leader leader) {
    forgetMany(ports);
    return kept(ports, leader.identity(), () -> listening(processes(leader)));
  }

  /** Those below its first process, and those that its host has taken over. */
  private static Set<Long> processes(Leader leader) {
    var tag = leader.identity().tag();
    var all = new LinkedHashSet<>(ProcFs.tree(leader.stat().pid(), PROCESSES_MAX));
    var orphans = tag == 0 ? List.<Long>of() : ProcFs.adoptedBy(leader.stat().parent());
    for (var pid : orphans.subList(0, Math.min(orphans.size(), PROCESSES_MAX))) {
      if (all.size() < PROCESSES_MAX && !all.contains(pid) && Tag.ofProcess(pid) == tag) {
        all.addAll(ProcFs.tree(pid, PROCESSES_MAX));
      }
    }
    return all;
  }

  private List<ListeningPort> listening(Collection<Long> pids) {
    var found = new TreeSet<>(BY_NUMBER);
    for (var pid : pids) {
      var network = ProcFs.network(pid);
      var sockets = network.isEmpty() ? Map.<Long, ListeningSocket>of() : sockets(network, pid);
      if (!sockets.isEmpty()) {
        for (var it : ListeningSocket.openIn(pid, sockets.keySet())) {
          var socket = sockets.get(it.inode());
          if (socket != null) {
            found.add(new ListeningPort(socket.port(), socket.address()));
          }
        }
      }
    }
    return found.stream().limit(PORTS_MAX).toList();
  }

  /** All that listen in the network of that process, by inode. */
  private Map<Long, ListeningSocket> sockets(String network, long pid) {
    forgetMany(networks);
    return kept(
        networks,
        network,
        () -> {
          var byInode = new HashMap<Long, ListeningSocket>();
          ListeningSocket.seenBy(pid)
              .values()
              .forEach(list -> list.forEach(it -> byInode.put(it.inode(), it)));
          return byInode;
        });
  }

  /** One caller reads, and those that come meanwhile get what it has read. */
  private <K, T> T kept(Map<K, Kept<T>> all, K key, Supplier<T> read) {
    return all.compute(
            key,
            (_, old) ->
                old != null && clock.ticks() - old.atNanos() < FRESH.toNanos()
                    ? old
                    : new Kept<>(read.get(), clock.ticks()))
        .value();
  }

  private static void forgetMany(Map<?, ?> all) {
    if (all.size() > KEPT_MAX) {
      all.clear();
    }
  }
}
