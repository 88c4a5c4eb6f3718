package dev.errand.daemon.task;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Argv;
import dev.errand.core.policy.Basis;
import dev.errand.core.policy.Profile;
import dev.errand.core.policy.SpawnFacts;
import dev.errand.core.policy.Verdict;
import dev.errand.core.task.Command;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.config.Config;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks the policy about each new task, and applies its verdict. */
public final class SpawnPolicy {
  private static final Basis ROOTS = new Basis(0, "policy.roots");

  private final Supplier<Config.Guarding> guarding;
  private final Path userHome;
  private final InstantSource clock;

  public SpawnPolicy(Supplier<Config.Guarding> guarding, Path userHome, InstantSource clock) {
    this.guarding = guarding;
    this.userHome = userHome;
    this.clock = clock;
  }

  Judgement judge(TaskSpec spec, Profile profile, @Nullable String justification) {
    var settings = guarding.get();
    var roots = roots(settings);
    var placed = placed(spec, roots);
    if (placed == null) {
      var detail =
          "tasks run only below "
              + roots
              + " ([policy] roots), and "
              + spec.work().cwd()
              + " is outside them; name another cwd";
      return new Judgement.Refused(ErrorCode.POLICY_DENIED, ROOTS, detail);
    }
    var facts = facts(placed, justification);
    return switch (settings.rules().judge(profile, facts)) {
      case Verdict.Allowed(var basis) -> {
        var allowed = new Ruling.Answer.Allowed();
        yield accepted(placed, new Ruling(profile, allowed, basis.name(), justification));
      }
      case Verdict.Asked(var basis) -> {
        var asked =
            new Ruling.Answer.Asked(clock.instant().plus(settings.askTimeout()).toEpochMilli());
        yield accepted(placed, new Ruling(profile, asked, basis.name(), justification));
      }
      case Verdict.Denied(var basis) ->
          new Judgement.Refused(
              ErrorCode.POLICY_DENIED, basis, RefusalText.denied(basis, profile, facts));
      case Verdict.Unjustified(var basis) ->
          new Judgement.Refused(
              ErrorCode.JUSTIFICATION_REQUIRED, basis, RefusalText.unjustified(basis));
    };
  }

  private static Judgement accepted(TaskSpec spec, Ruling ruling) {
    return new Judgement.Accepted(spec.ruled(ruling));
  }

  /** The host gets the folder that was checked, not a path that may lead elsewhere later. */
  private static @Nullable TaskSpec placed(TaskSpec spec, Roots roots) {
    if (!roots.areSet()) {
      return spec;
    }
    var work = spec.work();
    return roots.inside(work.cwd()).map(it -> spec.in(it.toString())).orElse(null);
  }

  /** Whether the folder of a held task is still the one that was checked. */
  boolean isStillInside(TaskSpec spec) {
    var cwd = spec.work().cwd();
    var roots = roots(guarding.get());
    return !roots.areSet() || roots.inside(cwd).filter(it -> it.toString().equals(cwd)).isPresent();
  }

  private Roots roots(Config.Guarding settings) {
    return Roots.of(settings.roots(), userHome);
  }

  private static SpawnFacts facts(TaskSpec spec, @Nullable String justification) {
    return switch (spec.work()) {
      case Command it ->
          new SpawnFacts(
              it.toolName(),
              line(it.invocation()),
              it.invocation() instanceof Invocation.Shell,
              it.io().mode().word(),
              it.environment().names(),
              justification != null);
    };
  }

  private static String line(Invocation invocation) {
    return switch (invocation) {
      case Invocation.Shell(var line) -> line;
      case Invocation.Program(var argv) -> Argv.line(argv);
      case Invocation.Fed(var argv, var input) ->
          Argv.line(Stream.concat(argv.stream(), Stream.of(input)).toList());
    };
  }
}
