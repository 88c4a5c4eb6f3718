package dev.errand.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.policy.Rule.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is let through, and all the ways around a rule that must not be ways. */
final class PolicyTest {
  private final List<Rule> rules = new ArrayList<>();

  @Test
  void without_rules_safe_runs_nothing_and_full_auto_runs_all() {
    assertThat(safe("ls")).isEqualTo("Denied by profile safe");
    assertThat(full("ls")).isEqualTo("Allowed by profile full-auto");
  }

  @Test
  void a_rule_allows_what_it_covers_from_end_to_end() {
    rule(Decision.ALLOW, "npm (test|run lint)");

    assertThat(safe("npm test")).isEqualTo("Allowed by rule 1");
    assertThat(safe("npm run lint")).isEqualTo("Allowed by rule 1");
    assertThat(safe("npm tests")).startsWith("Denied");
    assertThat(safe("sudo npm test")).startsWith("Denied");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git status; rm -rf /",
        "git status && rm -rf /",
        "git status || rm -rf /",
        "git status & rm -rf /",
        "git log | sh",
        "git status\nrm -rf /",
        "git status\r\nrm -rf /",
        "git status $(rm -rf /)",
        "git status `rm -rf /`",
        "git status $HOME",
        "git status ${IFS}",
        "git diff > /etc/passwd",
        "git apply < /tmp/x",
        "git diff <(rm -rf /)",
        "(git status)",
        " git status",
        "PATH=/tmp git status",
        "exec git status",
        "/tmp/git status",
        "\\git status",
        "GIT status",
        "git",
        "gitstatus"
      })
  void no_shell_line_gets_past_a_rule_that_allows_a_program(String line) {
    rule(Decision.ALLOW, "git .*");
    rule(Decision.ALLOW, "^git ");

    assertThat(safe("git status")).isEqualTo("Allowed by rule 1");
    assertThat(safe(line)).isEqualTo("Denied by profile safe");
  }

  @Test
  void a_rule_may_speak_for_operators_and_then_its_pattern_is_all_that_counts() {
    rules.add(
        new Rule(
            new Basis(1, "rule 1"),
            new Rule.Scope(null, new Regex("cd web && npm test"), null, null),
            Decision.ALLOW,
            false,
            new Rule.Grant(true, Set.of())));

    assertThat(safe("cd web && npm test")).isEqualTo("Allowed by rule 1");
    assertThat(safe("cd web && npm test; rm -rf /")).startsWith("Denied");
  }

  @Test
  void operators_mean_nothing_where_no_shell_reads_them() {
    rule(Decision.ALLOW, "grep .*");

    assertThat(judge(Profile.SAFE, exec(List.of("grep", "a|b; c", "x")))).startsWith("Allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"PATH", "LD_PRELOAD", "BASH_ENV", "GIT_SSH_COMMAND", "NODE_OPTIONS", "lang"})
  void a_variable_that_can_change_what_runs_needs_to_be_named_by_the_rule(String name) {
    rule(Decision.ALLOW, "git status");
    var facts =
        new SpawnFacts("bash", "git status", true, "pipes", Set.of("LANG", "LC_ALL", name), false);

    assertThat(judge(Profile.SAFE, facts)).startsWith("Denied");

    rules.add(
        new Rule(
            new Basis(2, "rule 2"),
            new Rule.Scope(null, new Regex("git .*"), null, null),
            Decision.ALLOW,
            false,
            new Rule.Grant(false, Set.of(name))));
    assertThat(judge(Profile.SAFE, facts)).isEqualTo("Allowed by rule 2");
  }

  @ParameterizedTest
  @CsvSource({
    "rm -rf /, Denied by rule 2",
    "true; rm -rf /, Denied by rule 2",
    "git push, Asked by rule 3",
    "git push && rm -rf x, Denied by rule 2",
    "git status, Allowed by rule 1",
  })
  void the_most_careful_rule_decides_wherever_it_stands(String line, String expected) {
    rule(Decision.ALLOW, "(git|rm) .*");
    rule(Decision.DENY, "rm -rf");
    rule(Decision.ASK, "git push");

    assertThat(safe(line)).isEqualTo(expected);
  }

  @Test
  void deny_and_ask_hold_in_full_auto_too() {
    rule(Decision.DENY, "mkfs");
    rule(Decision.ASK, "deploy");

    assertThat(full("sudo mkfs /dev/sda")).isEqualTo("Denied by rule 1");
    assertThat(full("make deploy")).isEqualTo("Asked by rule 2");
    assertThat(full("make")).isEqualTo("Allowed by profile full-auto");
  }

  @Test
  void a_rule_for_one_profile_or_tool_leaves_others_alone() {
    scoped(Decision.DENY, "exec", null);
    scoped(Decision.ALLOW, null, Profile.SAFE);

    assertThat(judge(Profile.SAFE, exec(List.of("ls")))).isEqualTo("Denied by rule 1");
    assertThat(safe("ls")).isEqualTo("Allowed by rule 2");
    assertThat(full("ls")).isEqualTo("Allowed by profile full-auto");
  }

  @Test
  void both_names_of_the_shell_are_one_tool_to_a_rule() {
    scoped(Decision.DENY, "bash", null);

    var other = new SpawnFacts("shell", "ls", true, "pipes", Set.of(), false);
    assertThat(judge(Profile.FULL_AUTO, other)).isEqualTo("Denied by rule 1");
  }

  @Test
  void a_rule_may_demand_to_be_told_why() {
    demanding(Decision.ALLOW, "make .*");
    demanding(Decision.ASK, "deploy");

    assertThat(safe("make all")).isEqualTo("Unjustified by rule 1");
    assertThat(safe("deploy")).isEqualTo("Unjustified by rule 2");
    assertThat(safe("other")).startsWith("Denied");
    assertThat(full("make all; true")).as("a demand reaches far").startsWith("Unjustified");
    assertThat(full("ls")).startsWith("Allowed");
    assertThat(judge(Profile.SAFE, justified("make all"))).isEqualTo("Allowed by rule 1");
    assertThat(judge(Profile.SAFE, justified("deploy"))).isEqualTo("Asked by rule 2");
    assertThat(judge(Profile.FULL_AUTO, justified("make all; true"))).startsWith("Allowed");
  }

  @Test
  void a_rule_without_a_demand_wins_over_one_with() {
    demanding(Decision.ALLOW, "make .*");
    rule(Decision.ALLOW, "make test");

    assertThat(safe("make test")).isEqualTo("Allowed by rule 2");
  }

  @Test
  void nobody_passes_on_more_than_he_has() {
    assertThat(Profile.FULL_AUTO.atMost(Profile.SAFE)).isEqualTo(Profile.SAFE);
    assertThat(Profile.SAFE.atMost(Profile.FULL_AUTO)).isEqualTo(Profile.SAFE);
    assertThat(Profile.FULL_AUTO.atMost(Profile.FULL_AUTO)).isEqualTo(Profile.FULL_AUTO);
  }

  @Test
  void no_argument_can_look_like_two() {
    assertThat(Argv.line(List.of("git", "log", "--format=%H"))).isEqualTo("git log --format=%H");
    assertThat(Argv.line(List.of("git", "log -p"))).isEqualTo("git 'log -p'");
    assertThat(Argv.line(List.of("echo", "it's", ""))).isEqualTo("echo 'it'\\''s' ''");
    assertThat(Argv.line(List.of("echo", "a' 'b")))
        .isNotEqualTo(Argv.line(List.of("echo", "a", "b")));
  }

  private void rule(Decision decision, String pattern) {
    add(new Rule.Scope(null, new Regex(pattern), null, null), decision, false);
  }

  private void demanding(Decision decision, String pattern) {
    add(new Rule.Scope(null, new Regex(pattern), null, null), decision, true);
  }

  private void scoped(Decision decision, @Nullable String tool, @Nullable Profile profile) {
    add(new Rule.Scope(tool, new Regex(".*"), profile, null), decision, false);
  }

  private void add(Rule.Scope scope, Decision decision, boolean justified) {
    var basis = new Basis(rules.size() + 1, "rule " + (rules.size() + 1));
    rules.add(new Rule(basis, scope, decision, justified, Rule.Grant.NARROW));
  }

  /** Who, what the rule says of the mode, what it decides, and whether the caller says why. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "SAFE,      -,     -,     no,  Denied by profile safe",
        "SAFE,      -,     -,     yes, Denied by profile safe",
        "SAFE,      -,     ALLOW, no,  Denied by profile safe",
        "SAFE,      -,     ALLOW, yes, Denied by profile safe",
        "SAFE,      pipes, ALLOW, yes, Denied by profile safe",
        "SAFE,      pty,   ALLOW, no,  Unjustified by rule 1",
        "SAFE,      pty,   ALLOW, yes, Allowed by rule 1",
        "SAFE,      -,     ASK,   no,  Unjustified by rule 1",
        "SAFE,      pty,   ASK,   yes, Asked by rule 1",
        "SAFE,      pipes, ASK,   yes, Denied by profile safe",
        "SAFE,      -,     DENY,  yes, Denied by rule 1",
        "FULL_AUTO, -,     -,     no,  Allowed by profile full-auto",
        "FULL_AUTO, pty,   DENY,  yes, Denied by rule 1",
        "FULL_AUTO, pipes, DENY,  no,  Allowed by profile full-auto",
        "FULL_AUTO, -,     ALLOW, no,  Allowed by rule 1",
      })
  void a_terminal_in_safe_needs_a_rule_that_names_it_and_a_reason(
      Profile profile,
      @Nullable String mode,
      @Nullable Decision decision,
      String why,
      String expected) {
    if (decision != null) {
      add(new Rule.Scope(null, new Regex("vim"), null, mode), decision, false);
    }
    var facts = new SpawnFacts("bash", "vim", true, "pty", Set.of(), why.equals("yes"));

    assertThat(judge(profile, facts)).isEqualTo(expected);
  }

  private String safe(String line) {
    return judge(Profile.SAFE, new SpawnFacts("bash", line, true, "pipes", Set.of(), false));
  }

  private String full(String line) {
    return judge(Profile.FULL_AUTO, new SpawnFacts("bash", line, true, "pipes", Set.of(), false));
  }

  private static SpawnFacts justified(String line) {
    return new SpawnFacts("bash", line, true, "pipes", Set.of(), true);
  }

  private static SpawnFacts exec(List<String> argv) {
    return new SpawnFacts("exec", Argv.line(argv), false, "pipes", Set.of(), false);
  }

  private String judge(Profile profile, SpawnFacts facts) {
    var verdict = new Policy(rules).judge(profile, facts);
    return verdict.getClass().getSimpleName() + " by " + verdict.basis().name();
  }

  private record Regex(String text) implements LinePattern {
    @Override
    public boolean isAllOf(String line) {
      return Pattern.compile(text).matcher(line).matches();
    }

    @Override
    public boolean occursIn(String line) {
      return Pattern.compile(text, Pattern.DOTALL).matcher(line).find();
    }
  }
}
