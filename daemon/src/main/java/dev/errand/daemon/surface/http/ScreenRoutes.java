package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.LookAtScreen;
import dev.errand.daemon.verb.Printable;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;

/** The screen of a terminal, now or after an earlier frame. */
final class ScreenRoutes {

  /** The page has its own styles and nothing else: no script, no external content. */
  private static final String PAGE_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; sandbox";

  private final LookAtScreen verb;

  ScreenRoutes(LookAtScreen verb) {
    this.verb = verb;
  }

  private enum Form {
    JSON,
    TEXT,
    ANSI,
    HTML
  }

  List<Route> routes() {
    return List.of(
        Route.of(verb, "GET", "/tasks/{id}/screen", this::screen)
            .query("at_seq", "format", "scrollback")
            .about("The screen of a task's terminal.")
            .gives(200, "Screen")
            .givesOther(200, Headers.TEXT)
            .givesOther(200, Headers.HTML));
  }

  private Reply screen(Call call) throws InterruptedException {
    var form = form(call);
    var at = call.query(Params.AT_SEQ);
    var seq = at == null ? null : (Long) call.queryNumber(Params.AT_SEQ, 0, 0, Long.MAX_VALUE);
    var withHistory = call.queryFlag(Params.SCROLLBACK, false);
    var request = new LookAtScreen.Request(call.taskId(), seq, withHistory);
    var seen = verb.run(call.asker(), request);
    return switch (form) {
      case JSON -> Reply.json(HttpStatus.OK_200, seen.json());
      case TEXT -> text(seen, Headers.TEXT, seen.plain());
      case ANSI -> text(seen, Headers.TEXT, seen.ansi());
      case HTML ->
          text(seen, Headers.HTML, seen.html()).with(Headers.CONTENT_SECURITY_POLICY, PAGE_POLICY);
    };
  }

  private static Form form(Call call) {
    var given = call.query(Params.FORMAT);
    var word = given == null ? "json" : given;
    for (var form : Form.values()) {
      if (form.name().toLowerCase(Locale.ROOT).equals(word)) {
        return form;
      }
    }
    throw Call.invalid("format must be json, text, ansi or html, not: " + Printable.of(word));
  }

  private static Reply.Whole text(LookAtScreen.Seen seen, String type, String text) {
    Map<String, String> headers = new HashMap<>();
    headers.put(Headers.ERRAND_SEQ, Long.toString(seen.seq()));
    headers.put(Headers.ERRAND_OFFSET, Long.toString(seen.offset()));
    headers.put(Headers.ERRAND_APPROXIMATE, Boolean.toString(seen.approximate()));
    headers.put(Headers.CONTENT_TYPE_OPTIONS, "nosniff");
    var body = text.getBytes(StandardCharsets.UTF_8);
    return new Reply.Whole(HttpStatus.OK_200, type, headers, body);
  }
}
