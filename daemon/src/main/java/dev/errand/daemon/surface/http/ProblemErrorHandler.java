package dev.errand.daemon.surface.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * What the server refuses before a route is asked (a bad line, too long a header), as a problem.
 */
final class ProblemErrorHandler implements Request.Handler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    var status = response.getStatus();
    var detail = "the request could not be read";
    if (request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException e) {
      status = e.getCode();
      detail = e.getReason() == null ? detail : detail + ": " + e.getReason();
    }
    var problem = Problems.ofStatus(status, detail);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, problem.contentType());
    response.write(true, ByteBuffer.wrap(problem.body()), callback);
    return true;
  }
}
