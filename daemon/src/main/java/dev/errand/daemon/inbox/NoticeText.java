package dev.errand.daemon.inbox;

import dev.errand.core.session.Notice;
import dev.errand.daemon.output.PlainText;

/** A notice in sentences, for a person or an agent: what happened, a summary, how to get more. */
final class NoticeText {
  /** Tells an agent that this is not what its user says. */
  static final String PREFIX = "[System Message] ";

  private static final int NAME_CHARS_MAX = 100;

  private NoticeText() {}

  /**
   * @param why what a failed task's status says of its end; empty where it says nothing
   */
  static String of(Notice notice, String summary, String why) {
    var text = new StringBuilder(PREFIX + "Background task " + name(notice) + " ");
    text.append(what(notice, why)).append(many(notice)).append('.');
    if (!summary.isEmpty()) {
      text.append("\nSummary: ").append(summary);
    }
    return text.append('\n').append(how(notice)).toString();
  }

  /** In a few words, where there is no room for more. */
  static String brief(Notice notice, String why) {
    return name(notice) + " " + what(notice, why) + many(notice);
  }

  private static String name(Notice notice) {
    var label = notice.subject().label();
    return label == null
        ? notice.subject().taskId().value()
        : '"' + PlainText.line(label, NAME_CHARS_MAX) + '"';
  }

  private static String what(Notice notice, String why) {
    return switch (notice.kind()) {
      case ENDED -> end(notice, why) + " (" + Elapsed.text(notice.standing().elapsedMs()) + ")";
      case STATE_CHANGED -> "is " + notice.standing().status();
      case WATCHER -> "saw " + event(notice);
      case WAITING_FOR_INPUT -> "waits for a person's approval";
      case READY -> "is ready";
      case SILENCED -> "saw " + event(notice) + " so often that its watcher tells no more";
    };
  }

  private static String end(Notice notice, String why) {
    var code = notice.standing().exitCode();
    return switch (notice.standing().status()) {
      case "exited" -> code == null || code == 0 ? "completed" : "failed with exit code " + code;
      case "cancelled" -> "was cancelled";
      default -> why.equals("timeout") ? "timed out" : "failed";
    };
  }

  private static String event(Notice notice) {
    var event = notice.event();
    return "the event \"" + PlainText.line(event == null ? "" : event, NAME_CHARS_MAX) + '"';
  }

  private static String many(Notice notice) {
    return notice.merged() > 1 ? ", the newest of " + notice.merged() + " notices" : "";
  }

  private static String how(Notice notice) {
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
