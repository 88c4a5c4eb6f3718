package dev.errand.host.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The places in the machine's control groups where this process can create groups.
 *
 * <p>In version 2 this is the nearest ancestor group that delegates the controller to its children
 * and is writable: our own group contains processes and therefore cannot delegate. In version 1
 * every controller has its own tree, and our own group in it is suitable.
 */
public final class ControlGroups {
  private static final Path OWN = Path.of("/proc/self/cgroup");
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final String PROBE = "errand-probe-";

  private ControlGroups() {}

  /** What can be limited for all processes of a group. */
  public enum Controller {
    MEMORY("memory"),
    PROCESSES("pids");

    private final String word;

    Controller(String word) {
      this.word = word;
    }
  }

  /** A folder in which groups can be created, and its interface version. */
  public record Place(Path folder, int version) {}

  /** A mounted group tree: the visible part of it, and the mount point. */
  private record Mount(Path at, Path root, boolean v2, List<String> options) {}

  /** The usable places, found by trying. */
  public static Map<Controller, Place> writable() {
    var places = new EnumMap<Controller, Place>(Controller.class);
    try {
      var own = Files.readAllLines(OWN, StandardCharsets.ISO_8859_1);
      var mounts = mounts();
      for (var controller : Controller.values()) {
        place(controller, own, mounts).ifPresent(it -> places.put(controller, it));
      }
    } catch (IOException | IllegalArgumentException _) {
      // The machine has no control groups, or shows them in an unknown format.
    }
    return places;
  }

  private static Optional<Place> place(
      Controller controller, List<String> own, List<Mount> mounts) {
    for (var line : own) {
      var parts = line.split(":", 3);
      var v2 = parts[0].equals("0") && parts[1].isEmpty();
      if (!v2 && !List.of(parts[1].split(",", -1)).contains(controller.word)) {
        continue;
      }
      for (var mount : mounts) {
        if (mount.v2() == v2 && (v2 || mount.options().contains(controller.word))) {
          var found = v2 ? above(controller, mount, parts[2]) : own(mount, parts[2]);
          if (found.isPresent()) {
            return found;
          }
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Place> own(Mount mount, String group) {
    return folder(mount, group).filter(ControlGroups::works).map(it -> new Place(it, 1));
  }

  private static Optional<Place> above(Controller controller, Mount mount, String group) {
    var folder = folder(mount, group).orElse(mount.at());
    while (folder != null && folder.startsWith(mount.at())) {
      if (handsOn(folder, controller) && works(folder)) {
        return Optional.of(new Place(folder, 2));
      }
      folder = folder.getParent();
    }
    return Optional.empty();
  }

  private static boolean handsOn(Path folder, Controller controller) {
    try {
      var words = Files.readString(folder.resolve("cgroup.subtree_control")).strip().split(" ", -1);
      return List.of(words).contains(controller.word);
    } catch (IOException _) {
      return false;
    }
  }

  /** Whether a group can be created here and a process moved into it. */
  private static boolean works(Path folder) {
    var probe = folder.resolve(PROBE + ProcessHandle.current().pid());
    try {
      Files.createDirectory(probe);
    } catch (IOException _) {
      return false;
    }
    try {
      return Files.isWritable(folder.resolve("cgroup.procs"))
          && Files.isWritable(probe.resolve("cgroup.procs"));
    } finally {
      ControlGroup.remove(probe);
    }
  }

  /** The folder of our own group below the mount point. */
  private static Optional<Path> folder(Mount mount, String group) {
    var path = Path.of(group);
    if (!path.startsWith(mount.root())) {
      return Optional.empty();
    }
    return Optional.of(mount.at().resolve(mount.root().relativize(path)).normalize())
        .filter(Files::isDirectory);
  }

  private static List<Mount> mounts() throws IOException {
    var mounts = new ArrayList<Mount>();
    for (var line : Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1)) {
      var halves = line.split(" - ", 2);
      var left = halves[0].split(" ", -1);
      var right = halves[1].split(" ", -1);
      if (right[0].equals("cgroup") || right[0].equals("cgroup2")) {
        var options = List.of(right[right.length - 1].split(",", -1));
        mounts.add(
            new Mount(Path.of(left[4]), Path.of(left[3]), right[0].equals("cgroup2"), options));
      }
    }
    return mounts;
  }
}
