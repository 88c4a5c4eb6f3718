package dev.errand.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether a process is still there. */
final class ProcessCheck {

  private ProcessCheck() {}

  /** A process that has ended and only waits to be collected by its parent counts as gone. */
  static boolean isGone(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      var state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state == 'Z' || state == 'X';
    } catch (IOException e) {
      return ProcessHandle.of(pid).isEmpty();
    }
  }
}
