package dev.errand.daemon.condition;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The local addresses that a task of a restricted profile may ask: those where only tasks of its
 * own session listen whose profile is not higher than its own.
 */
final class OwnServers {
  private final Engine engine;
  private final ListeningPorts ports;
  private final long ownPid = ProcessHandle.current().pid();

  OwnServers(Engine engine, ListeningPorts ports) {
    this.engine = engine;
    this.ports = ports;
  }

  /**
   * As it was last read; false also if nothing listens or nothing was read yet. All sockets that
   * may accept the connection count, since any of them may get it.
   */
  boolean areAllAt(InetSocketAddress address, TaskId caller) {
    var spec = spec(caller).orElse(null);
    if (spec == null) {
      return false;
    }
    var wanted = new ListeningPorts.Wanted(null, ownPid, address.getPort());
    var servers =
        ports.servers(wanted).stream()
            .filter(it -> it.socket().accepts(address.getAddress()))
            .toList();
    return !servers.isEmpty() && servers.stream().allMatch(it -> isOwn(it, caller, spec));
  }

  private boolean isOwn(ListeningPorts.Server server, TaskId caller, TaskSpec spec) {
    return !server.openers().isEmpty()
        && server.openers().stream()
            .allMatch(it -> it.taskId().equals(caller) || isAlike(it.taskId(), spec));
  }

  private boolean isAlike(TaskId other, TaskSpec spec) {
    return spec(other)
        .filter(it -> it.origin().sessionId().equals(spec.origin().sessionId()))
        .filter(it -> profile(it.ruling()).atMost(profile(spec.ruling())) == profile(it.ruling()))
        .isPresent();
  }

  private static Profile profile(@Nullable Ruling ruling) {
    return ruling == null ? Profile.FULL_AUTO : ruling.profile();
  }

  private Optional<TaskSpec> spec(TaskId taskId) {
    return engine
        .liveSnapshot(taskId)
        .map(Snapshot::state)
        .filter(TaskState.Live.class::isInstance)
        .map(it -> ((TaskState.Live) it).facts().spec());
  }
}
