package dev.errand.daemon.surface.http;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.condition.Awaited;
import dev.errand.daemon.condition.AwaitedJson;
import dev.errand.daemon.condition.Until;
import dev.errand.daemon.condition.UntilReader;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.json.StatusWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Long polls: each answers when what is waited for holds, or never will, or the time has passed.
 */
final class WaitRoutes {
  /** Larger waits are shortened, so this only keeps sums from overflowing. */
  private static final long SECONDS_MAX = 1_000_000_000;

  private static final String TIMEOUT_MS = "timeout_ms";
  private static final List<String> FIELDS =
      Stream.concat(Stream.of(TIMEOUT_MS), UntilReader.FIELDS.stream()).toList();

  private final Services services;
  private final WaitSlots slots;
  private final HttpSettings settings;

  WaitRoutes(Services services, WaitSlots slots, HttpSettings settings) {
    this.services = services;
    this.slots = slots;
    this.settings = settings;
  }

  Reply await(Call call) throws IOException, InterruptedException {
    var chosen = services.tasks().views().rowOf(call.taskId());
    var fields = call.fields(FIELDS);
    var until = UntilReader.read(fields);
    var awaited = await(call, chosen.id(), until, timeout(call, fields));
    var row = services.tasks().views().rowOf(chosen.id());
    var view = services.tasks().views().view(row);
    var answer = JsonWriter.tree(out -> StatusWriter.write(out, view));
    ResultsRead.note(services, row, call);
    AwaitedJson.describe(answer, awaited, !row.active());
    return Reply.json(HttpStatus.OK_200, answer);
  }

  private static Duration timeout(Call call, RequestFields fields, Duration standard) {
    var millis = fields.integer(TIMEOUT_MS, 0, SECONDS_MAX * 1_000);
    return millis != null
        ? Duration.ofMillis(millis)
        : Duration.ofSeconds(call.queryNumber("timeout", standard.toSeconds(), 0, SECONDS_MAX));
  }

  private Duration timeout(Call call, RequestFields fields) {
    var waitMax = settings.waitMax();
    var wanted = timeout(call, fields, waitMax);
    return wanted.compareTo(waitMax) > 0 ? waitMax : wanted;
  }

  private Awaited await(Call call, TaskId taskId, Until until, Duration timeout)
      throws InterruptedException {
    var share = call.caller().share(services.output().compute());
    try (var _ = slots.take(call.caller())) {
      return services.output().conditions().await(share, taskId, until, timeout);
    }
  }
}
