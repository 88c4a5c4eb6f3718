package dev.errand.wire.http;

import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.time.Instant;
import java.util.Locale;

/**
 * The loss that a daemon found in its journal, in {@code loss.json}: how many tasks the home
 * recorded, how many were left, and when it was found.
 */
public record LossFile(long tasksKnown, long tasksFound, Instant noticedAt) {

  public byte[] encode() {
    return JsonWriter.object(out ->
        out.number("tasks_known", tasksKnown)
            .number("tasks_found", tasksFound)
            .text("noticed_at", noticedAt.toString()));
  }

  /** Fails with an {@code ErrandException} for what is no such file. */
  public static LossFile decode(byte[] text) {
    var in = JsonFields.of(text);
    return new LossFile(
        in.number("tasks_known"),
        in.number("tasks_found"),
        Instant.parse(in.text("noticed_at", "1970-01-01T00:00:00Z")));
  }

  /** As text. If no task is missing, the last part of the record is. */
  public String sentence() {
    var gone =
        tasksKnown > tasksFound
            ? String.format(
                Locale.ROOT, "%,d of about %,d tasks are", tasksKnown - tasksFound, tasksKnown)
            : "the last part of the record is";
    return gone + " gone from the journal (noticed at " + noticedAt + ")";
  }
}
