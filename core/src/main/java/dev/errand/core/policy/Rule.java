package dev.errand.core.policy;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One rule. A rule that denies or asks applies to every line in which its pattern is found; a rule
 * that allows applies only to lines that its pattern matches from end to end.
 */
public record Rule(Basis basis, Scope scope, Decision decision, boolean justified, Grant grant) {

  /** Characters with which a shell line becomes more than one command, or reads what it is not. */
  private static final String OPERATORS = ";&|<>()$`\n\r";

  /** Variables that say how text is shown, and nothing about what runs. */
  private static final Set<String> HARMLESS = Set.of("LANG", "LANGUAGE", "TZ", "TERM", "NO_COLOR");

  private static final String HARMLESS_PREFIX = "LC_";
  private static final List<String> SHELLS = List.of("bash", "shell");

  public enum Decision {
    ALLOW,
    ASK,
    DENY
  }

  /** What the rule matches; an absent part matches every spawn. */
  public record Scope(
      @Nullable String tool,
      LinePattern pattern,
      @Nullable Profile profile,
      @Nullable String executionMode) {

    private boolean includes(Profile caller, SpawnFacts facts) {
      return (tool == null || sameTool(tool, facts.tool()))
          && (profile == null || profile == caller)
          && (executionMode == null || executionMode.equals(facts.executionMode()));
    }

    /** Two tool names mean the shell; a rule for one applies to both. */
    private static boolean sameTool(String one, String other) {
      return one.equals(other) || (SHELLS.contains(one) && SHELLS.contains(other));
    }
  }

  /**
   * The scope of an allow rule: whether it covers lines with shell operators, and which variables a
   * caller may set besides the harmless ones.
   */
  public record Grant(boolean operators, Set<String> variables) {
    public static final Grant NARROW = new Grant(false, Set.of());

    public Grant {
      variables = Set.copyOf(variables);
    }
  }

  boolean touches(Profile caller, SpawnFacts facts) {
    return scope.includes(caller, facts) && scope.pattern().occursIn(facts.line());
  }

  boolean covers(Profile caller, SpawnFacts facts) {
    return scope.includes(caller, facts)
        && (scope.executionMode() != null || !isTerminalForSafe(caller, facts))
        && scope.pattern().isAllOf(facts.line())
        && (grant.operators() || !hasOperators(facts))
        && grant.variables().containsAll(doubtful(facts));
  }

  /** Whether this rule, or the kind of spawn, demands a justification. */
  boolean demandsReason(Profile caller, SpawnFacts facts) {
    return justified || isTerminalForSafe(caller, facts);
  }

  /** Terminals are off unless a rule names them and the caller gives a justification. */
  private static boolean isTerminalForSafe(Profile caller, SpawnFacts facts) {
    return caller == Profile.SAFE && facts.wantsTerminal();
  }

  /** Whether a shell would do more with this line than run one program with plain words. */
  public static boolean hasOperators(SpawnFacts facts) {
    return facts.shell() && facts.line().chars().anyMatch(it -> OPERATORS.indexOf(it) >= 0);
  }

  /** The variables with which a caller could turn an allowed program into another one. */
  public static List<String> doubtful(SpawnFacts facts) {
    return facts.variables().stream()
        .filter(it -> !HARMLESS.contains(it) && !it.startsWith(HARMLESS_PREFIX))
        .sorted()
        .toList();
  }
}
