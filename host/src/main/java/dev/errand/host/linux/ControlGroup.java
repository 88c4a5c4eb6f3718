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

/** One group of processes whose use of one thing is limited together. */
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

  /** Makes the group, with nobody in it. */
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

  /** A group that may have been made before, by us or by another. */
  public static ControlGroup named(Controller controller, Place place, String name) {
    return new ControlGroup(controller, place, name);
  }

  private void limit(long limit) throws IOException {
    switch (controller) {
      case PROCESSES -> write("pids.max", limit);
      case MEMORY -> {
        write(v2 ? "memory.max" : "memory.limit_in_bytes", limit);
        // Memory that is merely moved to a swap is not less memory.
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

  /** Moves a process in; what it starts from now on begins its life there. */
  public void join(long pid) throws IOException {
    write(PROCESSES, pid);
  }

  /** Who is in it now; nobody where there is no such group. */
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

  /** How often the limit was felt: processes refused, or killed for want of memory. */
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

  /** Takes the group away if nobody is in it. */
  public boolean remove() {
    return remove(folder);
  }

  /** Takes away groups that nobody is in and that were made before this time. */
  public static void removeOld(Place place, String prefix, Instant before) {
    try (var folders = Files.newDirectoryStream(place.folder(), prefix + "*")) {
      for (var folder : folders) {
        if (Files.getLastModifiedTime(folder).toInstant().isBefore(before)) {
          remove(folder);
        }
      }
    } catch (IOException | DirectoryIteratorException _) {
      // They cost little, and the next host tries again.
    }
  }

  static boolean remove(Path folder) {
    // Not Files.delete: the files in it are the kernel's and cannot be removed one by one.
    return !Files.exists(folder) || folder.toFile().delete();
  }
}
