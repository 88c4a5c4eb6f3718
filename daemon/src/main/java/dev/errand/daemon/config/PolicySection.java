package dev.errand.daemon.config;

import dev.errand.core.policy.Basis;
import dev.errand.core.policy.Policy;
import dev.errand.core.policy.Profile;
import dev.errand.core.policy.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the table {@code policy} and its rules. */
final class PolicySection {
  private static final Duration ASK_TIMEOUT_MAX = Duration.ofDays(30);
  private static final int RULES_MAX = 1_000;
  private static final int NAME_CHARS_MAX = 64;

  private static final Map<String, Profile> PROFILES =
      Map.of(Profile.SAFE.word(), Profile.SAFE, Profile.FULL_AUTO.word(), Profile.FULL_AUTO);
  private static final Map<String, Rule.Decision> DECISIONS =
      Map.of("allow", Rule.Decision.ALLOW, "ask", Rule.Decision.ASK, "deny", Rule.Decision.DENY);
  private static final List<String> TOOLS = List.of("bash", "shell", "exec", "*");

  private PolicySection() {}

  /** A rule may be about one of the tools that are declared, too. */
  static Config.Guarding read(Section section, Config.Guarding standard, List<String> declared) {
    var profile = section.word("profile", PROFILES, standard.profile());
    var live = section.live();
    var roots = live.texts("roots", standard.roots());
    if (roots.stream()
        .anyMatch(it -> !it.startsWith("/") && !it.equals("~") && !it.startsWith("~/"))) {
      throw section.wrong("roots", "folders that begin with / or ~/");
    }
    var askTimeout =
        live.duration("ask_timeout", standard.askTimeout(), Duration.ofSeconds(1), ASK_TIMEOUT_MAX);
    var tables = live.tables("rule");
    if (tables.size() > RULES_MAX) {
      throw section.wrong("rule", "at most " + RULES_MAX + " tables");
    }
    var rules = tables.stream().map(it -> rule(it, tools(declared))).toList();
    section.refuseUnknown();
    return new Config.Guarding(profile, roots, askTimeout, new Policy(rules));
  }

  private static Map<String, String> tools(List<String> declared) {
    return Stream.concat(TOOLS.stream(), declared.stream())
        .collect(Collectors.toMap(it -> it, it -> it));
  }

  private static Rule rule(Section section, Map<String, String> tools) {
    var decision =
        needed(
            section, "decision", section.word("decision", DECISIONS, null), "allow, ask or deny");
    var scope = scope(section, tools);
    var justified =
        section.word("justification", Map.of("required", true, "optional", false), false);
    var grant =
        new Rule.Grant(
            section.flag("operators", false), Set.copyOf(section.texts("env", List.of())));
    if (decision != Rule.Decision.ALLOW && !grant.equals(Rule.Grant.NARROW)) {
      throw section.wrong(
          grant.operators() ? "operators" : "env", "left out unless the decision is \"allow\"");
    }
    if (decision == Rule.Decision.DENY && justified) {
      throw section.wrong("justification", "left out where the decision is \"deny\"");
    }
    var rule = new Rule(basis(section), scope, decision, justified, grant);
    section.refuseUnknown();
    return rule;
  }

  private static Rule.Scope scope(Section section, Map<String, String> tools) {
    var tool = section.word("tool", tools, "*");
    var match = needed(section, "match", section.text("match", null), "a pattern");
    try {
      return new Rule.Scope(
          tool.equals("*") ? null : tool,
          Re2LinePattern.of(match),
          section.word("profile", PROFILES, null),
          section.word("execution_mode", Map.of("pipes", "pipes", "pty", "pty"), null));
    } catch (IllegalArgumentException e) {
      throw section.wrong("match", "a pattern: " + e.getMessage());
    }
  }

  private static Basis basis(Section section) {
    var name = section.text("name", null);
    if (name != null && (name.isBlank() || name.length() > NAME_CHARS_MAX)) {
      throw section.wrong("name", "a text of 1 to " + NAME_CHARS_MAX + " characters");
    }
    var place = "policy.rule " + section.place();
    return new Basis(section.place(), name == null ? place : place + " (" + name + ")");
  }

  private static <T> T needed(Section section, String key, @Nullable T value, String wanted) {
    if (value == null) {
      throw section.wrong(key, wanted + "; a rule cannot do without");
    }
    return value;
  }
}
