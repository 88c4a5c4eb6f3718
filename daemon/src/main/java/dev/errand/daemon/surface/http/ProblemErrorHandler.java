package dev.errand.daemon.surface.http;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Formats the server's own refusals (an invalid line, a header that is too long) as problems. While
 * the server stops it also refuses valid requests, as retryable.
 */
final class ProblemErrorHandler implements Request.Handler {
  private final BooleanSupplier closing;

  ProblemErrorHandler(BooleanSupplier closing) {
    this.closing = closing;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    var problem = problem(request, response.getStatus());
    RefusalLog.refused(request, problem.status());
    response.setStatus(problem.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, problem.contentType());
    response.write(true, ByteBuffer.wrap(problem.body()), callback);
    return true;
  }

  private Reply.Whole problem(Request request, int status) {
    if (request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException e) {
      return Problems.of(e);
    }
    return closing.getAsBoolean()
        ? Problems.stopping()
        : Problems.ofStatus(status, "the request could not be read");
  }
}
