package dev.errand.wire.json;

import static java.util.Map.entry;

import dev.errand.core.task.Command;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Checks the body of a spawn, part by part; at each limit the request is refused. */
final class SpawnRequestReader {
  private static final RequestField<FieldType.Word> ON_RESTART =
      RequestField.of(
          "on_restart",
          new FieldType.Word("adopt", "lost", "requeue"),
          "what happens if its process is gone after a restart: run it again with requeue; default:"
              + " lost, like adopt");
  private static final RequestField<FieldType.Text> JUSTIFICATION =
      RequestField.of(
          "justification",
          new FieldType.Text(1_000),
          "why it is wanted, where the policy asks for it");

  static final List<RequestField<?>> FIELDS = List.of(ON_RESTART, JUSTIFICATION);

  /** Names that others use for these, or that stand one level too high. */
  private static final Map<String, String> MEANT =
      Map.ofEntries(
          entry("tool_name", "tool"),
          entry("arguments", "args"),
          entry("input", "args"),
          entry("command", "args.command"),
          entry("cmd", "args.command"),
          entry("argv", "args.argv"),
          entry("cwd", "args.cwd"),
          entry("env", "args.env"),
          entry("secret_env", "args.secret_env"),
          entry("timeout", "timeout_secs"),
          entry("pty", "execution_mode: \"pty\""),
          entry("name", "label"));

  private SpawnRequestReader() {}

  static SpawnRequest read(JsonNode node) {
    SecretFields.refuseElsewhere(node);
    var body = RequestFields.of(node, SpawnFields.FORM.names(), MEANT);
    var args = SpawnWork.args(body);
    return new SpawnRequest(
        SpawnNames.read(body),
        SpawnWork.read(body, args),
        SpawnIo.read(body, args),
        SpawnLimits.read(body),
        onRestart(body),
        justification(body),
        SpawnPlan.read(body),
        SpawnWatching.read(body));
  }

  private static @Nullable String justification(RequestFields body) {
    var text = body.text(JUSTIFICATION);
    if (text != null && text.isBlank()) {
      throw body.refuse(JUSTIFICATION.name(), "a sentence that says why, or left out");
    }
    return text;
  }

  /** A process that is still there is always adopted; the word matters only when it is gone. */
  private static Command.OnRestart onRestart(RequestFields body) {
    return "requeue".equals(body.word(ON_RESTART))
        ? Command.OnRestart.REQUEUE
        : Command.OnRestart.LOST;
  }
}
