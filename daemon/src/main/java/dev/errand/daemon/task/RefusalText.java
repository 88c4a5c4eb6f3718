package dev.errand.daemon.task;

import dev.errand.core.policy.Basis;
import dev.errand.core.policy.Profile;
import dev.errand.core.policy.Rule;
import dev.errand.core.policy.SpawnFacts;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The text of refusals: which rule decided, and what a person could write to change that. */
final class RefusalText {
  /** Longer command lines are not repeated: the caller has them. */
  private static final int LINE_CHARS_MAX = 500;

  private static final Pattern META = Pattern.compile("[\\\\.+*?()|\\[\\]{}^$]");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private RefusalText() {}

  static String denied(Basis basis, Profile profile, SpawnFacts facts) {
    if (basis.number() > 0) {
      return basis.name() + " of config.toml denies this";
    }
    return "the profile %s runs only what a rule allows, and none allows this; %s"
        .formatted(profile.word(), remedy(facts));
  }

  static String unjustified(Basis basis) {
    return basis.name()
        + " of config.toml requires a justification; send the task again with one (CLI: --why)";
  }

  private static String remedy(SpawnFacts facts) {
    if (facts.line().length() > LINE_CHARS_MAX) {
      return "a person can add a [[policy.rule]] with decision = \"allow\" to config.toml";
    }
    var text = new StringBuilder("a person can add this to config.toml, then errand reload:\n");
    text.append("[[policy.rule]]\n");
    text.append("tool = ").append(quoted(facts.tool())).append('\n');
    text.append("match = ").append(quoted(META.matcher(facts.line()).replaceAll("\\\\$0")));
    text.append("\ndecision = \"allow\"\n");
    if (facts.wantsTerminal()) {
      text.append("execution_mode = \"pty\"  # and send a justification with it (CLI: --why)\n");
    }
    if (Rule.hasOperators(facts)) {
      text.append("operators = true\n");
    }
    var variables = Rule.doubtful(facts);
    if (!variables.isEmpty()) {
      var names = variables.stream().map(RefusalText::quoted).collect(Collectors.joining(", "));
      text.append("env = [").append(names).append("]\n");
    }
    return text.toString();
  }

  /** A TOML string: in single quotes if possible, otherwise with escapes. */
  private static String quoted(String text) {
    if (text.indexOf('\'') < 0 && !CONTROL.matcher(text).find()) {
      return "'" + text + "'";
    }
    var escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
    return "\""
        + CONTROL
            .matcher(escaped)
            .replaceAll(it -> "\\\\u%04x".formatted((int) it.group().charAt(0)))
        + "\"";
  }
}
