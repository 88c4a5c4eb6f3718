package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.verb.Admin;
import dev.errand.daemon.verb.WaitSlots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/** The daemon itself: how it does, which one it is, and how it is stopped and cleaned. */
final class DaemonRoutes {
  private static final String PID = "pid";

  private final Services services;
  private final KeyedRoutes keyed;
  private final RequestCounts counts;
  private final WaitSlots slots;
  private final InstantSource clock;

  DaemonRoutes(
      Services services,
      KeyedRoutes keyed,
      RequestCounts counts,
      WaitSlots slots,
      InstantSource clock) {
    this.services = services;
    this.keyed = keyed;
    this.counts = counts;
    this.slots = slots;
    this.clock = clock;
  }

  /** Says nothing else, since anyone may ask. */
  Reply health(Call call) {
    return text("ok\n", "text/plain");
  }

  Reply ready(Call call) {
    var reason = services.daemon().notReady().get();
    if (reason.isPresent()) {
      throw new ErrandException(ErrorCode.NOT_READY, reason.get());
    }
    return Reply.json(
        HttpStatus.OK_200, JsonNodeFactory.instance.objectNode().put("status", "ready"));
  }

  Reply metrics(Call call) {
    return text(MetricsText.of(services, counts, slots, clock.instant()), MetricsText.CONTENT_TYPE);
  }

  Reply version(Call call) {
    var about = services.daemon().about();
    return Reply.json(
        HttpStatus.OK_200,
        JsonNodeFactory.instance
            .objectNode()
            .put("version", about.version())
            .put("build", about.build())
            .put("protocol", about.protocol())
            .put("journal_id", services.tasks().journal().id())
            .put("pid", ProcessHandle.current().pid())
            .put("started_at", about.startedAt().toString()));
  }

  Reply shutdown(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        _ -> {
          var stop = stop(call);
          var begun = services.daemon().admin().shutdown(stop);
          return Reply.json(
              HttpStatus.ACCEPTED_202,
              JsonNodeFactory.instance
                  .objectNode()
                  .put("stopping", true)
                  .put("all", stop == Admin.Stop.WITH_ALL)
                  .put("on_stop", begun.onStop())
                  .put("wait_secs", begun.waitMax().toSeconds()));
        });
  }

  private static Admin.Stop stop(Call call) throws IOException {
    var fields = call.fields(List.of("all", "restart"));
    var all = fields.bool("all", false);
    var restart = fields.bool("restart", false);
    if (all && restart) {
      throw Call.invalid("all ends every task and restart ends none: give one of them");
    }
    if (all) {
      return Admin.Stop.WITH_ALL;
    }
    return restart ? Admin.Stop.FOR_RESTART : Admin.Stop.FOR_NOW;
  }

  Reply gc(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        _ -> {
          call.fields(List.of());
          return Reply.json(HttpStatus.OK_200, services.daemon().admin().gc());
        });
  }

  Reply config(Call call) {
    return Reply.json(HttpStatus.OK_200, services.daemon().admin().config());
  }

  Reply reload(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        _ -> {
          call.fields(List.of());
          return Reply.json(HttpStatus.OK_200, services.daemon().admin().reload());
        });
  }

  Reply processes(Call call) {
    return Reply.json(HttpStatus.OK_200, services.daemon().admin().processes());
  }

  Reply endProcess(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        _ -> {
          var pid = call.fields(List.of(PID)).integer(PID, 2, Integer.MAX_VALUE);
          if (pid == null) {
            throw Call.invalid("say which process to end: {\"pid\": 1234}");
          }
          var by = call.caller().principal();
          return Reply.json(HttpStatus.OK_200, services.daemon().admin().endProcess(pid, by));
        });
  }

  private static Reply text(String text, String contentType) {
    return new Reply.Whole(
        HttpStatus.OK_200, contentType, Map.of(), text.getBytes(StandardCharsets.UTF_8));
  }
}
