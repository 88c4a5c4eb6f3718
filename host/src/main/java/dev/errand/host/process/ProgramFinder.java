package dev.errand.host.process;

import dev.errand.host.linux.PathProbe;
import dev.errand.host.linux.PosixSpawn;
import dev.errand.host.protocol.HostRequest;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Resolves the requested program to the file that the kernel starts, or says why there is none. */
final class ProgramFinder {
  private static final List<String> SHELLS =
      List.of("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh");

  private ProgramFinder() {}

  /** The result of the search. */
  sealed interface Found {
    record Program(PosixSpawn.Plan plan) implements Found {}

    record Nothing(String reasonCode, String message) implements Found {}
  }

  static Found find(HostRequest.Spawn request, ChildEnvironment environment) {
    var cwd = request.surroundings().cwd();
    var words = words(request.program());
    if (hasZero(words, cwd, environment)) {
      return new Found.Nothing(
          "error", "arguments, variables and paths must not contain a zero byte");
    }
    if (!cwd.startsWith("/") || !PathProbe.isDirectory(cwd)) {
      return new Found.Nothing("bad_cwd", "not a folder that can be entered: " + cwd);
    }
    if (request.surroundings().fixedCwd() && !isItself(cwd)) {
      return new Found.Nothing(
          "bad_cwd",
          "it leads elsewhere, or policy.roots never allowed it; spawn the task again: " + cwd);
    }
    var name = words.getFirst();
    var candidates = candidates(name, cwd, environment.path());
    for (var candidate : candidates) {
      if (PathProbe.isProgram(candidate)) {
        var assignments = environment.assignments();
        return new Found.Program(new PosixSpawn.Plan(candidate, words, assignments, cwd));
      }
    }
    return candidates.stream().anyMatch(PathProbe::exists)
        ? new Found.Nothing("not_executable", "not a program that can be executed: " + name)
        : new Found.Nothing("not_found", "no such program: " + name);
  }

  private static boolean isItself(String folder) {
    try {
      return Path.of(folder).toRealPath().toString().equals(folder);
    } catch (IOException | InvalidPathException _) {
      return false;
    }
  }

  private static List<String> words(HostRequest.Program program) {
    return switch (program) {
      case HostRequest.Program.Argv(var words) -> words;
      case HostRequest.Program.Command(var line) -> List.of(shell(), "-c", line);
    };
  }

  private static String shell() {
    return SHELLS.stream().filter(PathProbe::isProgram).findFirst().orElse("/bin/sh");
  }

  private static boolean hasZero(List<String> words, String cwd, ChildEnvironment environment) {
    var texts = new ArrayList<>(words);
    texts.addAll(environment.assignments());
    texts.add(cwd);
    return texts.stream().anyMatch(it -> it.indexOf('\0') >= 0);
  }

  /**
   * The possible places of the program: one if its name contains a slash, else along the child's
   * PATH.
   */
  private static List<String> candidates(String name, String cwd, String path) {
    if (name.isEmpty()) {
      return List.of();
    }
    if (name.contains("/")) {
      return List.of(absolute(name, cwd));
    }
    var candidates = new ArrayList<String>();
    for (var folder : path.split(":", -1)) {
      candidates.add(absolute(folder.isEmpty() ? "." : folder, cwd) + "/" + name);
    }
    return candidates;
  }

  private static String absolute(String path, String cwd) {
    return path.startsWith("/") ? path : cwd + "/" + path;
  }
}
