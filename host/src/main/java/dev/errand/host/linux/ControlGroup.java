package dev.errand.host.linux;

import dev.errand.host.linux.ControlGroups.Controller;
import dev.errand.host.linux.ControlGroups.Place;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A group of processes with a common limit on one resource. */
public final class ControlGroup {
  private static final String PROCESSES = "cgroup.procs";

  private final Controller controller;
  private final Path folder;
  private final boolean v2;

  private ControlGroup(Controller controller, Place place, String name) {
    this.controller = controller;
    this.folder = place.folder().resolve(name);
    this.v2 = place.version() == 2;
  }

  /** Creates the group, empty. */
  public static ControlGroup make(Controller controller, Place place, String name, long limit)
      throws IOException {
    var group = new ControlGroup(controller, place, name);
    Files.createDirectories(group.folder);
    try {
      group.limit(limit);
    } catch (IOException e) {
      remove(group.folder);
      throw e;
    }
    return group;
  }

  /** A group that may already exist, created by this host or another one. */
  public static ControlGroup named(Controller controller, Place place, String name) {
    return new ControlGroup(controller, place, name);
  }

  private void limit(long limit) throws IOException {
    switch (controller) {
      case PROCESSES -> write("pids.max", limit);
      case MEMORY -> {
        write(v2 ? "memory.max" : "memory.limit_in_bytes", limit);
        // Without this, memory moved to swap would not count.
        var swap = v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
        if (Files.exists(folder.resolve(swap))) {
          write(swap, v2 ? 0 : limit);
        }
      }
    }
  }

  private void write(String file, long value) throws IOException {
    Files.writeString(folder.resolve(file), Long.toString(value));
  }

  /** Moves a process into the group; its later children start in the group. */
  public void join(long pid) throws IOException {
    write(PROCESSES, pid);
  }

  /** The pids of its members; none if the group does not exist. */
  public List<Long> members() throws IOException {
    var pids = new ArrayList<Long>();
    try {
      for (var line : Files.readAllLines(folder.resolve(PROCESSES))) {
        pids.add(Long.parseLong(line.strip()));
      }
    } catch (IOException e) {
      if (Files.exists(folder)) {
        throw e;
      }
    }
    return pids;
  }

  /** How often the limit took effect: a process was refused, or killed for lack of memory. */
  public long timesPassed() {
    return switch (controller) {
      case PROCESSES -> counter("pids.events", "max");
      case MEMORY -> counter(v2 ? "memory.events" : "memory.oom_control", "oom_kill");
    };
  }

  private long counter(String file, String name) {
    try {
      for (var line : Files.readAllLines(folder.resolve(file))) {
        if (line.startsWith(name + " ")) {
          return Long.parseLong(line.substring(name.length() + 1).strip());
        }
      }
    } catch (IOException | NumberFormatException _) {
      // An older kernel does not count this.
    }
    return 0;
  }

  /** Removes the group if it is empty. */
  public boolean remove() {
    return remove(folder);
  }

  /** Removes the empty groups that were created before this time. */
  public static void removeOld(Place place, String prefix, Instant before) {
    try (var folders = Files.newDirectoryStream(place.folder(), prefix + "*")) {
      for (var folder : folders) {
        if (Files.getLastModifiedTime(folder).toInstant().isBefore(before)) {
          remove(folder);
        }
      }
    } catch (IOException | DirectoryIteratorException _) {
      // Empty groups cost little, and the next host tries again.
    }
  }

  static boolean remove(Path folder) {
    // Not Files.delete: the files in it belong to the kernel and cannot be removed one by one.
    return !Files.exists(folder) || folder.toFile().delete();
  }
}
