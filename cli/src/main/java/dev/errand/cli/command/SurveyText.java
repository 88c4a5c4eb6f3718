package dev.errand.cli.command;

import dev.errand.cli.render.Sizes;
import dev.errand.wire.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The survey of a home as text: what is there, and what can be done. */
final class SurveyText {
  private static final int NAME_COLUMNS = 11;

  /** How many tasks are named; the JSON form has more. */
  private static final int NAMED_MAX = 20;

  private final JsonFields survey;
  private final JsonFields journal;

  /** Why a daemon would not start here; null if it would. */
  private final @Nullable String refusal;

  private final List<JsonFields> runningUnknown;
  private final StringBuilder text = new StringBuilder();

  SurveyText(JsonFields survey) {
    this.survey = survey;
    this.journal = survey.object("journal");
    this.refusal = journal.textOrNull("refusal");
    this.runningUnknown =
        survey.objects("hosts").stream()
            .flatMap(it -> it.objects("running").stream())
            .filter(it -> !it.bool("known", true))
            .toList();
  }

  String text() {
    line("home", survey.text("home", "?"));
    line("journal", journal());
    if (refusal != null && !state().equals("gone")) {
      line("refused", refusal);
    }
    if (survey.has("loss")) {
      line("loss", survey.object("loss").text("text", "?"));
    }
    survey.texts("aside").forEach(it -> line("kept aside", it));
    logs();
    var artifacts = survey.object("artifacts");
    line(
        "artifacts",
        count(artifacts.number("files", 0), "file")
            + ", %s, in %s"
                .formatted(
                    Sizes.text(artifacts.number("bytes", 0)), artifacts.text("folder", "?")));
    survey.objects("hosts").forEach(this::host);
    text.append("\nWhat can be done:\n");
    var steps = steps();
    for (var i = 0; i < steps.size(); i++) {
      text.append("  ").append(i + 1).append(". ").append(steps.get(i)).append('\n');
    }
    return text.toString().strip();
  }

  private String journal() {
    var file = journal.text("file", "?");
    var known = journal.number("tasks_known", 0);
    return switch (state()) {
      case "gone" -> file + " is missing or has nothing in it" + known(known);
      case "new" -> file + " has nothing in it yet";
      case "damaged" -> file + " cannot be read: " + journal.text("fault", "?") + known(known);
      default ->
          "%s can be read: %s%s"
              .formatted(
                  file,
                  count(journal.number("tasks", 0), "task"),
                  known > journal.number("tasks", 0) ? " of about " + number(known) : "");
    };
  }

  private static String known(long tasks) {
    return tasks > 0 ? "; about " + count(tasks, "task") + " were recorded in it" : "";
  }

  private String state() {
    return journal.text("state", "?");
  }

  private void logs() {
    var count = survey.number("unknown_tasks_with_logs", 0);
    if (count == 0) {
      line("logs", "none of tasks that the journal does not know");
      return;
    }
    line("logs", "of " + count(count, "task") + " that the journal does not know, newest first:");
    survey.objects("logs").stream()
        .limit(NAMED_MAX)
        .forEach(it -> line("", it.text("folder", "?") + "  " + Sizes.text(it.number("bytes", 0))));
    more(count);
  }

  private void more(long count) {
    if (count > NAMED_MAX) {
      line(
          "", "and %s more; errand recover --json names them".formatted(number(count - NAMED_MAX)));
    }
  }

  private void host(JsonFields host) {
    line(
        "host",
        "%s %s"
            .formatted(
                host.text("id", "?"),
                host.bool("alive", false) ? "lives, pid " + host.number("pid", 0) : "is dead"));
    for (var it : host.objects("running")) {
      line(
          "",
          "%s task %s, pid %d: %s"
              .formatted(
                  it.bool("known", true) ? "runs" : "runs unknown",
                  it.text("task_id", "?"),
                  it.number("pid", 0),
                  it.text("command", "?")));
    }
    var ended = host.objects("ended_unknown");
    ended.stream()
        .limit(NAMED_MAX)
        .forEach(it ->
            line(
                "",
                "unknown task %s ended with code %d"
                    .formatted(it.text("task_id", "?"), it.number("exit_code", 0))));
    more(ended.size());
  }

  private List<String> steps() {
    var steps = new ArrayList<String>();
    if (state().equals("damaged")) {
      steps.add(
          "errand up copies what can be read into a new journal, and keeps the damaged file.");
      steps.add("If that is refused, use one of these; docs/operating/recover.md has more.");
    } else if (refusal != null && !state().equals("gone")) {
      steps.add("Look at what is recorded: errand serve --read-only");
      steps.add(
          "Go on with this journal: errand adopt. Its running tasks end as lost, and its queued tasks start, even if they have run since.");
    }
    if (state().equals("damaged") || refusal != null) {
      steps.add(
          "Put a backup of errand.db in its place, remove errand.db-wal and errand.db-shm, and run: errand up");
      steps.add(
          "Begin with a new journal: errand recover --new-journal. The present file is kept under another name, and logs and artifacts stay.");
    }
    if (survey.number("unknown_tasks_with_logs", 0) > 0) {
      steps.add("Read the output of tasks, which is in plain files: cat FOLDER/stdout.*");
    }
    if (!runningUnknown.isEmpty()) {
      steps.add(
          "End what runs for unknown tasks: kill -- "
              + String.join(
                  " ", runningUnknown.stream().map(it -> "-" + it.number("pid", 0)).toList())
              + " (or everything, while a daemon runs: errand down --all)");
    }
    if (survey.has("loss")) {
      steps.add(
          "To accept the loss: errand recover --accept. The remains of lost tasks are removed then.");
    }
    if (steps.isEmpty()) {
      steps.add("Nothing needs to be done.");
    }
    return steps;
  }

  private void line(String name, String content) {
    text.append(name).append(" ".repeat(NAME_COLUMNS - name.length())).append(content).append('\n');
  }

  private static String count(long number, String noun) {
    return number(number) + " " + noun + (number == 1 ? "" : "s");
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
