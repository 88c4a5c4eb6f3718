package dev.errand.daemon;

import java.util.List;

/** The build of this process, and the command that runs other programs of the same build. */
record Build(String version, String digest, List<String> launcher) {

  /** From the system properties set by the launcher. */
  static Build current() {
    var run = System.getProperty("errand.run");
    if (run == null) {
      throw new IllegalStateException("start the daemon with: errand serve");
    }
    return new Build(
        System.getProperty("errand.version", "0.1.0"),
        System.getProperty("errand.build", "unknown"),
        List.of(run));
  }
}
