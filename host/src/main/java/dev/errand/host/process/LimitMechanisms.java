package dev.errand.host.process;

import dev.errand.core.task.ResourceLimits;
import dev.errand.host.linux.ControlGroup;
import dev.errand.host.linux.ControlGroups;
import dev.errand.host.linux.ControlGroups.Controller;
import dev.errand.host.linux.ControlGroups.Place;
import dev.errand.host.linux.OwnProcess;
import dev.errand.host.linux.ProcFs;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How this host applies limits, found out once at its start: by control groups if it can create
 * them, since those count a whole task, and by limits of single processes otherwise.
 */
public final class LimitMechanisms {
  private static final String GROUP_PREFIX = "errand-";
  private static final Pattern GROUP = Pattern.compile(GROUP_PREFIX + "\\d{1,18}");
  private static final Duration OLD = Duration.ofMinutes(1);

  private final Map<Controller, Place> places;
  private final boolean superuser;

  private LimitMechanisms(Map<Controller, Place> places, boolean superuser) {
    this.places = places;
    this.superuser = superuser;
  }

  public static LimitMechanisms detect(Instant now) {
    var places = ControlGroups.writable();
    // A host that was killed, or a process that was allowed to stay, leaves its group.
    places.values().forEach(it -> ControlGroup.removeOld(it, GROUP_PREFIX, now.minus(OLD)));
    return new LimitMechanisms(places, OwnProcess.isSuperuser());
  }

  /** As on a machine without control groups. */
  static LimitMechanisms withoutGroups() {
    return new LimitMechanisms(Map.of(), OwnProcess.isSuperuser());
  }

  /** The tag of the task in whose control group a process is; 0 if it is in none. */
  public static long tagOf(long pid) {
    for (var line : ProcFs.controlGroups(pid)) {
      var name = line.substring(line.lastIndexOf('/') + 1);
      if (GROUP.matcher(name).matches()) {
        return Long.parseLong(name.substring(GROUP_PREFIX.length()));
      }
    }
    return 0;
  }

  /** How each resource is limited, as text for people: {@code memory=cgroup2} and so on. */
  public List<String> mechanisms() {
    return List.of(
        "limits.memory=" + mechanism(Controller.MEMORY),
        "limits.processes=" + mechanism(Controller.PROCESSES),
        "limits.cpu=rlimit",
        "limits.open_files=rlimit",
        "limits.file_size=rlimit");
  }

  private String mechanism(Controller controller) {
    var place = places.get(controller);
    if (place != null) {
      return "cgroup" + place.version();
    }
    return controller == Controller.PROCESSES && superuser ? "none" : "rlimit";
  }

  /** The same for the requested limits, as one string; empty if there are none. */
  String mechanisms(ResourceLimits limits) {
    var words = new ArrayList<String>();
    if (limits.memoryBytes() != null) {
      words.add("memory=" + mechanism(Controller.MEMORY));
    }
    if (limits.processes() != null) {
      words.add("processes=" + mechanism(Controller.PROCESSES));
    }
    if (limits.cpuSecs() != null || limits.openFiles() != null || limits.fileSizeBytes() != null) {
      words.add("others=rlimit");
    }
    return String.join(",", words);
  }

  /** Why these limits cannot be applied here; empty if they can. */
  Optional<String> refusal(ResourceLimits limits) {
    if (limits.processes() != null && superuser && !places.containsKey(Controller.PROCESSES)) {
      return Optional.of(
          "the limit processes cannot be applied: the kernel counts no processes for root, and this"
              + " host found no control group for them that it may use; run as another user, or"
              + " leave the limit out");
    }
    return Optional.empty();
  }

  /** Creates the groups of a task with limits, empty. Null if there is nothing to limit. */
  @Nullable TaskLimiter open(ResourceLimits limits, long tag) throws IOException {
    if (limits.isNone()) {
      return null;
    }
    var groups = new ArrayList<ControlGroup>();
    try {
      var memory = group(Controller.MEMORY, limits.memoryBytes(), tag, groups);
      var processes = group(Controller.PROCESSES, limits.processes(), tag, groups);
      return new TaskLimiter(limits, memory, processes);
    } catch (IOException e) {
      groups.forEach(ControlGroup::remove);
      throw new IOException("a control group could not be made: " + e.getMessage(), e);
    }
  }

  private @Nullable ControlGroup group(
      Controller controller, @Nullable Long limit, long tag, List<ControlGroup> made)
      throws IOException {
    var place = places.get(controller);
    if (place == null || limit == null) {
      return null;
    }
    var group = ControlGroup.make(controller, place, GROUP_PREFIX + tag, limit);
    made.add(group);
    return group;
  }

  /** The processes in the groups of this tag, also if another host created the groups. */
  List<Long> members(long tag) throws IOException {
    var pids = new ArrayList<Long>();
    for (var it : places.entrySet()) {
      var group = ControlGroup.named(it.getKey(), it.getValue(), GROUP_PREFIX + tag);
      pids.addAll(group.members());
    }
    return pids;
  }

  void remove(long tag) {
    places.forEach(
        (controller, place) -> ControlGroup.named(controller, place, GROUP_PREFIX + tag).remove());
  }
}
