package dev.errand.daemon;

import dev.errand.core.engine.Engine;
import dev.errand.daemon.attach.FirstScreen;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.ResultReads;
import java.nio.file.Path;

/**
 * What a test of the whole daemon may replace, so that it needs no second composition. Each method
 * gets the real part and returns the one to use.
 */
interface Replacements {

  /** The daemon as it is. */
  Replacements NONE = new Replacements() {};

  /** Who runs commands. */
  default CommandRunner runner(CommandRunner hosts, Engine engine) {
    return hosts;
  }

  /** Where the output of tasks is. */
  default Outputs outputs(Outputs files) {
    return files;
  }

  /** Who is told that a result was read. */
  default ResultReads reads(ResultReads marks) {
    return marks;
  }

  default FirstScreen firstScreen(FirstScreen screens) {
    return screens;
  }

  default Administration administration(Administration control) {
    return control;
  }

  /** The home folder of the user, in which tasks run that name no folder. */
  default Path userHome(Path folder) {
    return folder;
  }

  /** Ends this process at once, without any clean-up. */
  default void exit(int status) {
    Runtime.getRuntime().halt(status);
  }
}
