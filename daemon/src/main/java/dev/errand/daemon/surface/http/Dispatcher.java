package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.verb.Access;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.verb.EarlierReply;
import dev.errand.daemon.verb.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes each request through the authenticator to its route, and writes the answer. It runs on its
 * own virtual thread and may block.
 */
final class Dispatcher extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final RequestAuthenticator authenticator;
  private final Authenticator callers;
  private final List<Route> routes;
  private final HttpSettings settings;
  private final RequestCounts counts;
  private final WebSockets webSockets;
  private final Call.Door door;
  private volatile boolean closing;

  Dispatcher(
      Call.Door door,
      RequestAuthenticator authenticator,
      List<Route> routes,
      RequestCounts counts,
      WebSockets webSockets) {
    this.door = door;
    this.authenticator = authenticator;
    this.callers = door.authenticator();
    this.routes = List.copyOf(routes);
    this.settings = door.settings();
    this.counts = counts;
    this.webSockets = webSockets;
  }

  /** From now on every request is refused with SHUTTING_DOWN. */
  void refuseAll() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    // A route that waits sends no bytes; the idle limit is for reads and writes only.
    request.addIdleTimeoutListener(_ -> false);
    counts.begin(request);
    try {
      respond(request, response, callback);
    } catch (IOException | RuntimeException e) {
      LOG.debug("the caller is gone or too slow", e);
      callback.failed(e);
    } finally {
      counts.end(request, response.getStatus());
    }
    return true;
  }

  private void respond(Request request, Response response, Callback callback) throws IOException {
    try (var afterwards = new ResponseHooks()) {
      var reply = reply(request, response, afterwards);
      if (reply instanceof Reply.Upgraded(var socket)) {
        webSockets.upgrade(request, response, callback, socket);
        return;
      }
      answer(request, response, reply);
      UnreadBody.passOver(request, settings.clock());
      if (HttpStatus.isSuccess(reply.status())) {
        afterwards.heard();
      }
      callback.succeeded();
    }
  }

  private static void answer(Request request, Response response, Reply reply) throws IOException {
    try {
      write(request, response, reply);
    } catch (ErrandException e) {
      // The first step of a streamed body may refuse the request; later ones cannot.
      if (response.isCommitted()) {
        throw e;
      }
      response.reset();
      write(request, response, Problems.of(e));
    }
  }

  private Reply reply(Request request, Response response, ResponseHooks afterwards)
      throws IOException {
    try {
      return routed(request, afterwards);
    } catch (ErrandException e) {
      return refused(request, response, e);
    } catch (InterruptedException _) {
      return Problems.stopping();
    } catch (RuntimeException e) {
      if (e instanceof HttpException refusal) {
        return unread(request, refusal);
      }
      LOG.error("a bug: {} {}", request.getMethod(), Printable.of(path(request)), e);
      return Problems.of(ErrorCode.INTERNAL_ERROR, "a bug; the daemon's log says more");
    }
  }

  /** For parts that the server parses only on demand, such as the query. */
  private static Reply unread(Request request, HttpException refusal) {
    var problem = Problems.of(refusal);
    RefusalLog.refused(request, problem.status());
    return problem;
  }

  private Reply routed(Request request, ResponseHooks afterwards)
      throws IOException, InterruptedException {
    authenticator.checkOrigin(request);
    AmbiguityCheck.check(request);
    if (closing) {
      return Problems.stopping();
    }
    if (counts.connections(request) > settings.limits().connectionsMax()) {
      RefusalLog.refused(request, HttpStatus.TOO_MANY_REQUESTS_429);
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED, "too many connections are open; close some, then try again");
    }
    var path = Route.split(path(request));
    var match = match(request.getMethod(), path);
    if (match == null) {
      // A caller without access must not learn which paths exist.
      authenticator.caller(request);
      return unrouted(path);
    }
    var open = match.route().access() instanceof Access.Open;
    var caller = open ? Caller.NOBODY : authenticator.caller(request);
    var call = new Call(request, caller, match.id(), door, afterwards);
    match.route().check(call);
    if (settings.readOnly() && match.route().isBarredFromReaders()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "this daemon was started to read only; errand serve takes tasks");
    }
    return answered(match.route(), call);
  }

  private static Reply answer(Route route, Call call) throws IOException, InterruptedException {
    try {
      return route.answer().answer(call);
    } catch (EarlierReply e) {
      return ReplyCodec.decode(e.reply());
    }
  }

  private Reply answered(Route route, Call call) throws IOException, InterruptedException {
    route.admit(call);
    var reply = answer(route, call);
    return route.mayEndTokenOfCaller() ? reply : whileAdmitted(reply, call.caller());
  }

  /**
   * A request may have waited, and a stream may last for days: both end when the token of the
   * request is revoked.
   */
  private Reply whileAdmitted(Reply reply, Caller caller) {
    callers.checkStillAdmitted(caller);
    return reply instanceof Reply.Streamed(var status, var headers, var body)
        ? new Reply.Streamed(
            status, headers, output -> body.writeTo(output.as(() -> callers.admits(caller))))
        : reply;
  }

  private record Match(Route route, String id) {}

  private @Nullable Match match(String method, List<String> path) {
    for (var route : routes) {
      var id = route.match(path);
      if (id != null && route.method().equals(method)) {
        return new Match(route, id);
      }
    }
    return null;
  }

  private Reply unrouted(List<String> path) {
    var allowed =
        routes.stream()
            .filter(it -> it.match(path) != null)
            .map(Route::method)
            .sorted()
            .collect(Collectors.joining(", "));
    return allowed.isEmpty()
        ? Problems.of(ErrorCode.NOT_FOUND, "there is nothing at this path")
        : Problems.of(ErrorCode.METHOD_NOT_ALLOWED, "this path takes " + allowed)
            .with(HttpHeader.ALLOW.asString(), allowed);
  }

  private static Reply refused(Request request, Response response, ErrandException e) {
    // An authenticated caller that may not do this one thing keeps its connection.
    if (e.code() == ErrorCode.FORBIDDEN || e.code() == ErrorCode.UNAUTHENTICATED) {
      var problem = Problems.of(e);
      RefusalLog.refused(request, problem.status());
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    return Problems.of(e);
  }

  private static void write(Request request, Response response, Reply reply) throws IOException {
    response.setStatus(reply.status());
    reply.headers().forEach(response.getHeaders()::put);
    switch (reply) {
      case Reply.Whole it -> {
        if (!it.contentType().isEmpty()) {
          response.getHeaders().put(HttpHeader.CONTENT_TYPE, it.contentType());
        }
        Content.Sink.write(response, true, ByteBuffer.wrap(it.body()));
      }
      case Reply.Streamed it -> {
        if (!HttpMethod.HEAD.is(request.getMethod())) {
          stream(it, response);
        }
        Content.Sink.write(response, true, NOTHING.duplicate());
      }
      case Reply.Upgraded _ -> throw new IllegalStateException("an upgrade has no body");
    }
  }

  private static void stream(Reply.Streamed reply, Response response) throws IOException {
    try {
      reply.body().writeTo(new BodyOutput(response));
    } catch (InterruptedException _) {
      // The door closes: the body ends here, and the subscriber can resume from its cursor.
    }
  }

  static String path(Request request) {
    var path = request.getHttpURI().getCanonicalPath();
    return path == null || !path.startsWith("/") ? "/" : path;
  }
}
