package dev.errand.core.policy;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rules. Of those that speak of a wish the most careful decides, wherever it stands: deny
 * before ask before allow. So adding a rule that allows can never open what another one closes.
 */
public record Policy(List<Rule> rules) {
  public static final Policy NONE = new Policy(List.of());

  public Policy {
    rules = List.copyOf(rules);
  }

  public Verdict judge(Profile caller, Wish wish) {
    var denying = first(it -> it.decision() == Rule.Decision.DENY && it.touches(caller, wish));
    if (denying.isPresent()) {
      return new Verdict.Denied(denying.get().basis());
    }
    var asking = first(it -> it.decision() == Rule.Decision.ASK && it.touches(caller, wish));
    if (asking.isPresent()) {
      return asked(asking.get(), caller, wish);
    }
    return allowed(caller, wish);
  }

  private static Verdict asked(Rule rule, Profile caller, Wish wish) {
    return rule.demandsReason(caller, wish) && !wish.justified()
        ? new Verdict.Unjustified(rule.basis())
        : new Verdict.Asked(rule.basis());
  }

  private Verdict allowed(Profile caller, Wish wish) {
    var allowing =
        first(it ->
            allows(it, caller, wish) && (wish.justified() || !it.demandsReason(caller, wish)));
    if (allowing.isPresent()) {
      return new Verdict.Allowed(allowing.get().basis());
    }
    return switch (caller) {
      case SAFE ->
          // Whoever says why passes the rules that demand it, so only those are worth a try.
          first(it -> allows(it, caller, wish))
              .<Verdict>map(it -> new Verdict.Unjustified(it.basis()))
              .orElseGet(() -> new Verdict.Denied(Basis.of(caller)));
      case FULL_AUTO ->
          // Nothing need be allowed here: the rule is a demand, and demands reach far.
          first(it -> demands(it) && !wish.justified() && it.touches(caller, wish))
              .<Verdict>map(it -> new Verdict.Unjustified(it.basis()))
              .orElseGet(() -> new Verdict.Allowed(Basis.of(caller)));
    };
  }

  private static boolean allows(Rule rule, Profile caller, Wish wish) {
    return rule.decision() == Rule.Decision.ALLOW && rule.covers(caller, wish);
  }

  private static boolean demands(Rule rule) {
    return rule.decision() == Rule.Decision.ALLOW && rule.justified();
  }

  private Optional<Rule> first(Predicate<Rule> condition) {
    return rules.stream().filter(condition).findFirst();
  }
}
