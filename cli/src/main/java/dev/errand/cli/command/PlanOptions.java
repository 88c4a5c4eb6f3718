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

/** The options for the queue, the dependencies and the watchers of a new task. */
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
        Specs.text(
            "NAME", "wait in this lane of the session, which runs one task at a time", LANE));
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of("low", "normal", "high")),
            "the priority in the queue (default: normal)",
            PRIORITY));
    spec.addOption(
        Specs.texts("ID", "start after this task has succeeded (may be repeated)", AFTER));
    spec.addOption(
        Specs.texts(
            "ID", "start after this task is over, however it ended (may be repeated)", AFTER_ANY));
    spec.addOption(Specs.duration("start no earlier than this long from now", DELAY));
    spec.addOption(Specs.text("NAME", "the batch of the task, see errand batch", BATCH));
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of("done_only", "state_changes", "silent")),
            "which notices the session gets (default: done_only)",
            TELLS));
    spec.addOption(Specs.flag("a service: once it is ready, its lane goes on", SERVICE));
    spec.addOption(
        Specs.texts(
            "EVENT=REGEX", "make an event when the output matches this (may be repeated)", WATCH));
    spec.addOption(
        Specs.text(
            "CONDITION", "the task is ready when this condition is met: " + FORMS, READY_WHEN));
  }

  /** Parses what needs no daemon. */
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
        throw new UsageException(
            "invalid --watch; use EVENT=REGEX, a name and a pattern for the output");
      }
      task.watch(each.substring(0, split), TaskCondition.regex(each.substring(split + 1)));
    }
    given(parsed, READY_WHEN, (String text) -> task.readyWhen(condition(text)));
  }

  /** The dependencies, resolved to task ids. */
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
