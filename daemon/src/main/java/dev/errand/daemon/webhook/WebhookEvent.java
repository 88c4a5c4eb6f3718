package dev.errand.daemon.webhook;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskEvent;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a webhook may ask for beside notices: a sort of events of the tasks of its session. */
public enum WebhookEvent {
  /** A task is accepted, has started, waits for another attempt, or is over. */
  STATUS,

  /** One of its watchers saw what it watches for, or tells no more. */
  WATCH,

  /** It has written more. */
  OUTPUT;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The events of these words, each once; refused with the list where a word is unknown. */
  public static List<WebhookEvent> ofWords(List<String> words) {
    var events = EnumSet.noneOf(WebhookEvent.class);
    for (var word : words) {
      events.add(ofWord(word).orElseThrow(() -> unknown(word)));
    }
    return List.copyOf(events);
  }

  static Optional<WebhookEvent> ofWord(String word) {
    return Arrays.stream(values()).filter(it -> it.word().equals(word)).findFirst();
  }

  private static ErrandException unknown(String word) {
    return new ErrandException(
        ErrorCode.INVALID_REQUEST,
        "unknown event '" + word + "' in events; use a list of " + known());
  }

  private static String known() {
    return Arrays.stream(values()).map(WebhookEvent::word).collect(Collectors.joining(", "));
  }

  /** What this is told as; null for what no webhook is told. */
  static @Nullable WebhookEvent of(TaskEvent event) {
    return switch (event) {
      case TaskEvent.Spawned _, TaskEvent.Started _, TaskEvent.Requeued _, TaskEvent.Ended _ ->
          STATUS;
      case TaskEvent.WatcherHit _, TaskEvent.WatcherSilenced _ -> WATCH;
      case TaskEvent.Output _ -> OUTPUT;
      case TaskEvent.Approved _,
          TaskEvent.Denied _,
          TaskEvent.Attempted _,
          TaskEvent.OutputMerged _,
          TaskEvent.OutputGap _,
          TaskEvent.OutputLost _,
          TaskEvent.StdinWritten _,
          TaskEvent.PromptSeen _,
          TaskEvent.Signalled _,
          TaskEvent.Resized _,
          TaskEvent.KillStepped _,
          TaskEvent.LimitPassed _,
          TaskEvent.CancelRequested _,
          TaskEvent.BecameReady _,
          TaskEvent.ArtifactWritten _,
          TaskEvent.Cancelled _,
          TaskEvent.Unknown _ ->
          null;
    };
  }
}
