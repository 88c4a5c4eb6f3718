package dev.errand.core.policy;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rules. Of the rules that match a spawn the strictest one decides, whatever their order: deny
 * before ask before allow. So an added allow rule can never weaken another rule.
 */
public record Policy(List<Rule> rules) {
  public static final Policy NONE = new Policy(List.of());

  public Policy {
    rules = List.copyOf(rules);
  }

  public Verdict judge(Profile caller, SpawnFacts facts) {
    var denying = first(it -> it.decision() == Rule.Decision.DENY && it.touches(caller, facts));
    if (denying.isPresent()) {
      return new Verdict.Denied(denying.get().basis());
    }
    var asking = first(it -> it.decision() == Rule.Decision.ASK && it.touches(caller, facts));
    if (asking.isPresent()) {
      return asked(asking.get(), caller, facts);
    }
    return allowed(caller, facts);
  }

  private static Verdict asked(Rule rule, Profile caller, SpawnFacts facts) {
    return rule.demandsReason(caller, facts) && !facts.justified()
        ? new Verdict.Unjustified(rule.basis())
        : new Verdict.Asked(rule.basis());
  }

  private Verdict allowed(Profile caller, SpawnFacts facts) {
    var allowing =
        first(it ->
            allows(it, caller, facts) && (facts.justified() || !it.demandsReason(caller, facts)));
    if (allowing.isPresent()) {
      return new Verdict.Allowed(allowing.get().basis());
    }
    return switch (caller) {
      case SAFE ->
          // A justification satisfies only the rules that demand one, so only those are tried
          // again.
          first(it -> allows(it, caller, facts))
              .<Verdict>map(it -> new Verdict.Unjustified(it.basis()))
              .orElseGet(() -> new Verdict.Denied(Basis.of(caller)));
      case FULL_AUTO ->
          // The rule demands a justification, so it applies wherever its pattern is found.
          first(it -> demands(it) && !facts.justified() && it.touches(caller, facts))
              .<Verdict>map(it -> new Verdict.Unjustified(it.basis()))
              .orElseGet(() -> new Verdict.Allowed(Basis.of(caller)));
    };
  }

  private static boolean allows(Rule rule, Profile caller, SpawnFacts facts) {
    return rule.decision() == Rule.Decision.ALLOW && rule.covers(caller, facts);
  }

  private static boolean demands(Rule rule) {
    return rule.decision() == Rule.Decision.ALLOW && rule.justified();
  }

  private Optional<Rule> first(Predicate<Rule> condition) {
    return rules.stream().filter(condition).findFirst();
  }
}
