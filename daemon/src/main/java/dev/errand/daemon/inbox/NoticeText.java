package dev.errand.daemon.inbox;

import dev.errand.core.session.Notice;
import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;
import java.util.stream.Collectors;

/** A notice in sentences, for a person or an agent: what happened, a summary, how to get more. */
final class NoticeText {
  /** Tells an agent that this message is not from its user. */
  static final String PREFIX = "[System Message] ";

  /** Extra characters of a text whose result was cut. */
  static final int CUT_WORDS_CHARS_MAX = 40;

  private static final String INDENT = "  ";

  private static final int NAME_CHARS_MAX = 100;

  private NoticeText() {}

  /**
   * What the record says about the task.
   *
   * @param timedOut whether it was ended by a time limit
   * @param left what happened to processes that outlived it; empty if there were none
   * @param output the end of its output
   * @param full whether to include the output, not only its summary
   * @param removed whether the task was removed
   */
  record About(
      String summary,
      boolean timedOut,
      String left,
      Tails.Tail output,
      boolean full,
      boolean removed) {

    /** With a shorter end. */
    About with(String end) {
      return new About(summary, timedOut, left, new Tails.Tail(end, true), full, removed);
    }
  }

  static String of(Notice notice, About about) {
    var text = new StringBuilder(PREFIX + "Background task " + name(notice) + " ");
    text.append(what(notice, about.timedOut())).append(many(notice)).append('.');
    if (about.full() && !about.output().text().isBlank()) {
      text.append(about.output().cut() ? "\nThe end of its result:\n" : "\nResult:\n");
      text.append(quoted(about.output().text()));
    } else if (!about.summary().isEmpty()) {
      text.append("\nSummary: ").append(about.summary());
    }
    if (!about.left().isEmpty()) {
      text.append("\nNote: ").append(about.left()).append('.');
    }
    return text.append('\n').append(how(notice, about.removed())).toString();
  }

  /** Indented, so that no line of output looks like a line of the notice. */
  private static String quoted(String output) {
    return output
        .stripTrailing()
        .lines()
        .map(it -> it.isEmpty() ? it : INDENT + it)
        .collect(Collectors.joining("\n"));
  }

  /** The notice in a few words. */
  static String brief(Notice notice, boolean timedOut) {
    return name(notice) + " " + what(notice, timedOut) + many(notice);
  }

  private static String name(Notice notice) {
    var label = notice.subject().label();
    return label == null
        ? notice.subject().taskId().value()
        : '"' + PlainText.line(label, NAME_CHARS_MAX) + '"';
  }

  private static String what(Notice notice, boolean timedOut) {
    return switch (notice.kind()) {
      case ENDED -> end(notice, timedOut) + " (" + Elapsed.text(notice.standing().elapsed()) + ")";
      case STATE_CHANGED -> "is " + notice.standing().status().word();
      case WATCHER -> "saw " + event(notice);
      case WAITING_FOR_INPUT -> "waits for a person's approval";
      case READY -> "is ready";
      case SILENCED -> "saw " + event(notice) + " so often that its watcher tells no more";
    };
  }

  private static String end(Notice notice, boolean timedOut) {
    var code = notice.standing().exitCode();
    return switch (notice.standing().status()) {
      case EXITED -> code == null || code == 0 ? "completed" : "failed with exit code " + code;
      case CANCELLED -> "was cancelled";
      case QUEUED, RUNNING, FAILED -> timedOut ? "timed out" : "failed";
    };
  }

  private static String event(Notice notice) {
    var event = notice.event();
    return "the event \"" + PlainText.line(event == null ? "" : event, NAME_CHARS_MAX) + '"';
  }

  private static String many(Notice notice) {
    return notice.merged() > 1 ? ", the newest of " + notice.merged() + " notices" : "";
  }

  private static String how(Notice notice, boolean removed) {
    if (removed) {
      return "The task was removed since, and its results with it.";
    }
    var label = notice.subject().label();
    var which =
        label == null
            ? "task_id: \"" + notice.subject().taskId().value() + '"'
            : "label: \"" + PlainText.line(label, NAME_CHARS_MAX) + '"';
    return switch (notice.kind()) {
      case ENDED -> "Use task_join(" + which + ") for full results.";
      case WAITING_FOR_INPUT ->
          "A person answers with: errand approve " + notice.subject().taskId().value();
      case STATE_CHANGED, WATCHER, READY, SILENCED ->
          "Use task_status(" + which + ") to see how it stands.";
    };
  }
}
