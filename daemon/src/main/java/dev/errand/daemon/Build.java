package dev.errand.daemon;

import java.util.List;

/** Which build this process runs, and the command that runs other verbs of the same build. */
record Build(String version, String digest, List<String> launcher) {

  /** As the launcher said it by system properties. */
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
