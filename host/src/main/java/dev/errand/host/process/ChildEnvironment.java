package dev.errand.host.process;

import dev.errand.host.protocol.HostRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The variables of a child: a few of the host's, then the caller's, then the task's ids. Nothing
 * else.
 */
record ChildEnvironment(Map<String, String> values) {
  static final String TASK_ID = "ERRAND_TASK_ID";
  private static final String SESSION_ID = "ERRAND_SESSION_ID";
  private static final String TERMINAL_KIND = "xterm-256color";
  private static final String PATH_DEFAULT = "/usr/local/bin:/usr/bin:/bin";
  private static final Set<String> INHERITED =
      Set.of("PATH", "HOME", "TERM", "LANG", "USER", "SHELL", "TMPDIR");
  private static final String INHERITED_PREFIX = "LC_";

  static ChildEnvironment of(Map<String, String> own, HostRequest.Spawn request) {
    var values = new LinkedHashMap<String, String>();
    values.put("PATH", PATH_DEFAULT);
    own.forEach((name, value) -> {
      if (INHERITED.contains(name) || name.startsWith(INHERITED_PREFIX)) {
        values.put(name, value);
      }
    });
    if (request.surroundings().terminal() != null) {
      // The host's TERM describes the host's own terminal, if any; the task has another one.
      values.put("TERM", TERMINAL_KIND);
    }
    values.putAll(request.surroundings().env());
    values.put(TASK_ID, request.id().taskId().value());
    values.put(SESSION_ID, request.sessionId());
    return new ChildEnvironment(values);
  }

  String path() {
    return values.getOrDefault("PATH", PATH_DEFAULT);
  }

  /** In the form that the kernel expects. */
  List<String> assignments() {
    return values.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).toList();
  }

  /** Names only: values hold keys and tokens. */
  @Override
  public String toString() {
    return "ChildEnvironment" + values.keySet();
  }
}
