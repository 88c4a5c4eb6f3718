package dev.errand.cli.command;

import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskCondition;
import dev.errand.wire.json.ConditionKind;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** How a new task is fitted in among others, and what is to be noticed of it. */
final class PlanOptions {
  private static final String LANE = "--lane";
  private static final String PRIORITY = "--priority";
  private static final String AFTER = "--after";
  private static final String AFTER_ANY = "--after-any";
  private static final String DELAY = "--delay";
  private static final String BATCH = "--batch";
  private static final String TELLS = "--notify";
  private static final String SERVICE = "--service";
  private static final String WATCH = "--watch";
  private static final String READY_WHEN = "--ready-when";
  private static final String FORMS =
      ConditionText.forms(List.of(), ConditionKind.WATCHED, ConditionKind::readyWord);

  private PlanOptions() {}

  static void addTo(CommandSpec spec) {
    spec.addOption(
        Specs.text("NAME", "wait in this lane of the session: one of a lane runs at a time", LANE));
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of("low", "normal", "high")),
            "who goes first where several wait (default: normal)",
            PRIORITY));
    spec.addOption(Specs.texts("ID", "start when this task has ended well, again for more", AFTER));
    spec.addOption(Specs.texts("ID", "start when this task is over, however it ended", AFTER_ANY));
    spec.addOption(Specs.duration("start not before so long from now", DELAY));
    spec.addOption(Specs.text("NAME", "a batch that the task belongs to, see errand batch", BATCH));
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of("done_only", "state_changes", "silent")),
            "what the session is told of it (default: done_only)",
            TELLS));
    spec.addOption(Specs.flag("it is meant to run on: once it is ready its lane goes on", SERVICE));
    spec.addOption(
        Specs.texts(
            "EVENT=REGEX", "make an event when the output has this, again for more", WATCH));
    spec.addOption(Specs.text("CONDITION", "it is ready when this holds: " + FORMS, READY_WHEN));
  }

  /** All that needs no daemon to be understood. */
  static void apply(ParseResult parsed, NewTask task) {
    given(parsed, LANE, task::lane);
    given(parsed, PRIORITY, task::priority);
    given(parsed, DELAY, (Duration time) -> task.delay(time));
    given(parsed, BATCH, task::batch);
    given(parsed, TELLS, task::tells);
    if (Specs.has(parsed, SERVICE)) {
      task.service();
    }
    for (String each : parsed.matchedOptionValue(WATCH, List.<String>of())) {
      var split = each.indexOf('=');
      if (split <= 0 || split == each.length() - 1) {
        throw new UsageException("--watch is EVENT=REGEX: a name, and what the output has to have");
      }
      task.watch(each.substring(0, split), TaskCondition.regex(each.substring(split + 1)));
    }
    given(parsed, READY_WHEN, (String text) -> task.readyWhen(condition(text)));
  }

  /** The tasks that it is to follow, which have to be found first. */
  static void follow(ParseResult parsed, NewTask task, TaskNames names) {
    given(parsed, AFTER, (List<String> tasks) -> task.after(names.resolveAll(tasks)));
    given(parsed, AFTER_ANY, (List<String> tasks) -> task.afterAny(names.resolveAll(tasks)));
  }

  private static <T> void given(ParseResult parsed, String option, Consumer<T> wish) {
    if (parsed.hasMatchedOption(option)) {
      wish.accept(parsed.matchedOption(option).getValue());
    }
  }

  private static TaskCondition condition(String text) {
    var colon = text.indexOf(':');
    var word = colon < 0 ? text : text.substring(0, colon);
    var value = colon < 0 ? "" : text.substring(colon + 1);
    var kind =
        ConditionKind.WATCHED.stream()
            .filter(it -> it.readyWord().equals(word))
            .findFirst()
            .orElseThrow(() -> wrong(text));
    if (value.isEmpty() != kind.value().label().isEmpty()) {
      throw wrong(text);
    }
    return switch (kind.value()) {
      case PATTERN, PATH -> TaskCondition.of(kind, value);
      case URL -> TaskCondition.of(kind, value.startsWith("//") ? text : value);
      case PORT, MILLIS ->
          TaskCondition.of(kind, ConditionText.number(kind, value, () -> wrong(text)));
      case YES -> TaskCondition.of(kind);
    };
  }

  private static UsageException wrong(String text) {
    return new UsageException("--ready-when '" + text + "': write " + FORMS);
  }
}
