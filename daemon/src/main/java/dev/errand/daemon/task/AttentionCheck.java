package dev.errand.daemon.task;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.WatchCondition;
import dev.errand.daemon.pattern.BoundedPattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Refuses conditions that cannot be watched, before the task is created. */
final class AttentionCheck {
  /**
   * The maximum size of a pattern: each character of a log may cost as many steps as its pattern
   * has.
   */
  private static final int PATTERN_STEPS_MAX = 1_000;

  private static final Pattern LOCAL_HOST =
      Pattern.compile(
          "(?i)localhost|\\[::1\\]|127(\\.(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])){3}");

  private static final int PORT_MAX = 65_535;

  private final Roots roots;

  AttentionCheck(Roots roots) {
    this.roots = roots;
  }

  /** Throws INVALID_REQUEST with the name of the field. */
  void check(TaskSpec spec) {
    var watchers = spec.watching().watchers();
    for (var i = 0; i < watchers.size(); i++) {
      check("watch[" + i + "]", watchers.get(i).condition(), spec);
    }
    var ready = spec.watching().readyWhen();
    if (ready != null) {
      check("ready_when", ready, spec);
    }
  }

  private void check(String path, WatchCondition condition, TaskSpec spec) {
    if (condition instanceof WatchCondition.OfPattern it) {
      checkPattern(path + ".regex", it.pattern());
    }
    if (condition instanceof WatchCondition.OfTerminal && spec.work().terminal() == null) {
      throw invalid(
          path
              + ".prompt requires a terminal, and this task has pipes; watch for a regex,"
              + " or spawn it with execution_mode pty");
    }
    if (condition instanceof WatchCondition.Http(var url)) {
      checkUrl(path + ".http", url);
    }
    if (condition instanceof WatchCondition.File(var file)) {
      checkFile(path + ".file", file, spec.work().cwd());
    }
  }

  private static void checkPattern(String field, String text) {
    try {
      if (BoundedPattern.compile(text, 0).programSize() > PATTERN_STEPS_MAX) {
        throw invalid(field + " is too large: its repeats {n,m} make it slow; use * or +");
      }
    } catch (IllegalArgumentException e) {
      throw invalid(field + " must be an RE2 pattern: " + e.getMessage());
    }
  }

  private static void checkUrl(String field, String text) {
    var wanted = field + " must be an http:// address of this machine, such as ";
    var example = "http://127.0.0.1:8080/health; hosts are localhost, 127.x.x.x and [::1]";
    try {
      var url = new URI(text);
      var host = url.getHost();
      var isPlain =
          "http".equalsIgnoreCase(url.getScheme())
              && url.getUserInfo() == null
              && url.getPort() != 0
              && url.getPort() <= PORT_MAX;
      if (!isPlain || host == null || !LOCAL_HOST.matcher(host).matches()) {
        throw invalid(wanted + example);
      }
    } catch (URISyntaxException _) {
      throw invalid(wanted + example);
    }
  }

  /** If roots are set, no caller may find out what exists outside of them. */
  private void checkFile(String field, String text, String cwd) {
    try {
      if (roots.areSet() && !roots.hold(Path.of(cwd).resolve(text))) {
        throw invalid(field + " must lie below " + roots + " ([policy] roots)");
      }
    } catch (InvalidPathException e) {
      throw invalid(field + " must be a path: " + e.getReason());
    }
  }

  private static ErrandException invalid(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }
}
