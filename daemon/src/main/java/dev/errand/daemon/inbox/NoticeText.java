package dev.errand.daemon.inbox;

import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A notice in sentences, for a person or an agent: what happened, a summary, how to get more. */
final class NoticeText {
  /** Tells an agent that this message is not from its user. */
  static final String PREFIX = "[System Message] ";

  /** Extra characters of a text whose result was cut. */
  static final int CUT_WORDS_CHARS_MAX = 40;

  private static final String INDENT = "  ";

  private static final int NAME_CHARS_MAX = 80;

  /** The part of an id with its time and counter, which no other task of a home has. */
  private static final int ID_CHARS = 18;

  private NoticeText() {}

  /**
   * What the record says about the task.
   *
   * @param name its label, title or command line; null if it was removed and had no label
   * @param fetch the call that tells more; null if it was removed
   * @param timedOut whether it was ended by a time limit
   * @param notes what else has to be told of its end, a sentence without a stop each
   * @param output the end of its output
   * @param full whether to include the output, not only its summary
   */
  record About(
      @Nullable String name,
      @Nullable NoticeFetch fetch,
      String summary,
      boolean timedOut,
      List<String> notes,
      Tails.Tail output,
      boolean full) {

    About {
      notes = List.copyOf(notes);
    }

    /** With a shorter end. */
    About with(String end) {
      var shorter = new Tails.Tail(end, true);
      return new About(name, fetch, summary, timedOut, notes, shorter, full);
    }
  }

  static String of(Notice notice, About about) {
    var text = new StringBuilder(PREFIX + "Background task " + name(notice, about.name()) + " ");
    text.append(what(notice, about.timedOut())).append(many(notice)).append('.');
    if (about.full() && !about.output().text().isBlank()) {
      text.append(about.output().cut() ? "\nThe end of its result:\n" : "\nResult:\n");
      text.append(quoted(about.output().text()));
    } else if (!about.summary().isEmpty()) {
      text.append("\nSummary: ").append(about.summary());
    }
    about.notes().forEach(it -> text.append("\nNote: ").append(it).append('.'));
    return text.append('\n').append(how(notice, about.fetch())).toString();
  }

  /** Indented, so that no line of output looks like a line of the notice. */
  private static String quoted(String output) {
    return output
        .stripTrailing()
        .lines()
        .map(it -> it.isEmpty() ? it : INDENT + it)
        .collect(Collectors.joining("\n"));
  }

  /** The notice in a few words, with the id of a task that has no label to ask for it by. */
  static String brief(Notice notice, @Nullable String name, boolean timedOut) {
    var id =
        name == null || notice.subject().label() != null
            ? ""
            : "(" + shortId(notice.subject().taskId()) + ") ";
    return name(notice, name) + " " + id + what(notice, timedOut) + many(notice);
  }

  private static String name(Notice notice, @Nullable String name) {
    return name == null
        ? shortId(notice.subject().taskId())
        : '"' + PlainText.line(name, NAME_CHARS_MAX) + '"';
  }

  /** The beginning of an id, which every tool and command takes. */
  static String shortId(TaskId taskId) {
    return taskId.value().substring(0, ID_CHARS);
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
    if (notice.merged() <= 1) {
      return "";
    }
    return notice.kind() == Notice.Kind.WATCHER
        ? ", seen " + notice.merged() + " times"
        : ", the newest of " + notice.merged() + " notices";
  }

  private static String how(Notice notice, @Nullable NoticeFetch fetch) {
    if (fetch == null) {
      return "The task was removed since, and its results with it.";
    }
    return switch (notice.kind()) {
      case ENDED -> "Use " + fetch.text() + " for full results.";
      case WAITING_FOR_INPUT ->
          "A person answers with: errand approve " + shortId(notice.subject().taskId());
      case STATE_CHANGED, WATCHER, READY, SILENCED ->
          "Use " + fetch.text() + " to see how it stands.";
    };
  }
}
