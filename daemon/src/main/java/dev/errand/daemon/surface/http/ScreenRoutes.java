package dev.errand.daemon.surface.http;

import dev.errand.daemon.screen.Screen;
import dev.errand.daemon.screen.ScreenText;
import dev.errand.daemon.verb.Printable;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;

/** What is seen of a terminal, now or after an earlier frame. */
final class ScreenRoutes {
  /** The page has styles of its own, and nothing else: no script, nothing from elsewhere. */
  private static final String PAGE_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; sandbox";

  private final Services services;

  ScreenRoutes(Services services) {
    this.services = services;
  }

  private enum Form {
    JSON,
    TEXT,
    ANSI,
    HTML
  }

  Reply screen(Call call) throws InterruptedException {
    var row = services.tasks().views().rowOf(call.taskId());
    var form = form(call);
    var at = call.query(Params.AT_SEQ);
    var seq = at == null ? null : (Long) call.queryNumber(Params.AT_SEQ, 0, 0, Long.MAX_VALUE);
    var withHistory = call.queryFlag(Params.SCROLLBACK, false);
    var share = call.caller().share(services.output().compute());
    var view = services.output().screens().view(share, row.id(), seq, withHistory);
    ResultsRead.note(services, row, call);
    return switch (form) {
      case JSON -> Reply.json(HttpStatus.OK_200, ScreenText.json(row.id(), view));
      case TEXT -> text(view.screen(), Headers.TEXT, ScreenText.plain(view));
      case ANSI -> text(view.screen(), Headers.TEXT, ScreenText.ansi(view.screen()));
      case HTML ->
          text(view.screen(), Headers.HTML, ScreenText.html(view))
              .with(Headers.CONTENT_SECURITY_POLICY, PAGE_POLICY);
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
    throw Call.invalid("format is json, text, ansi or html, not: " + Printable.of(word));
  }

  private static Reply.Whole text(Screen screen, String type, String text) {
    Map<String, String> headers = new HashMap<>();
    headers.put(Headers.ERRAND_SEQ, Long.toString(screen.seq()));
    headers.put(Headers.ERRAND_OFFSET, Long.toString(screen.offset()));
    headers.put(Headers.ERRAND_APPROXIMATE, Boolean.toString(screen.approximate()));
    headers.put(Headers.CONTENT_TYPE_OPTIONS, "nosniff");
    var body = text.getBytes(StandardCharsets.UTF_8);
    return new Reply.Whole(HttpStatus.OK_200, type, headers, body);
  }
}
