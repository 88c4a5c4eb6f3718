package dev.errand.daemon.condition;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether an address of this machine answers with 200. It is asked on a thread of its own, so that
 * one that never answers holds nobody up; redirects are not followed, wherever they lead.
 */
final class HttpCheck implements Check {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final URI url;
  private @Nullable Question asked;
  private long nextAtNanos = System.nanoTime();
  private boolean held;

  /** A request under way; the answer is null until it has come. */
  private record Question(
      HttpURLConnection connection, AtomicReference<@Nullable Boolean> answer, long sinceNanos) {}

  HttpCheck(URI url) {
    this.url = url;
  }

  @Override
  public Verdict look(Moment moment) {
    if (moment.process() == null) {
      return Verdict.UNTIL_FRAME;
    }
    var open = asked;
    if (open == null) {
      return nextAtNanos <= moment.nanos() ? ask(moment) : verdict(moment, nextAtNanos);
    }
    var answer = open.answer().get();
    if (answer == null && moment.nanos() - open.sinceNanos() < ANSWER_MAX.toNanos()) {
      return verdict(moment, moment.nanos() + LOOK_AGAIN.toNanos());
    }
    open.connection().disconnect();
    asked = null;
    held = answer != null && answer;
    nextAtNanos = moment.nanos() + POLL.toNanos();
    return verdict(moment, nextAtNanos);
  }

  /** Until it is known to be otherwise, what was answered last holds. */
  private Verdict verdict(Moment moment, long againNanos) {
    return held
        ? new Verdict.Holds(new Held.Http(moment.seq(), url.toString()))
        : new Verdict.NotYet(Duration.ofNanos(Math.max(1, againNanos - moment.nanos())));
  }

  private Verdict ask(Moment moment) {
    try {
      var connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout((int) ANSWER_MAX.toMillis());
      connection.setReadTimeout((int) ANSWER_MAX.toMillis());
      var question = new Question(connection, new AtomicReference<>(), moment.nanos());
      asked = question;
      Thread.ofVirtual().name("http-check").start(() -> question.answer().set(isOk(connection)));
    } catch (IOException | ClassCastException _) {
      nextAtNanos = moment.nanos() + POLL.toNanos();
    }
    return verdict(moment, moment.nanos() + LOOK_AGAIN.toNanos());
  }

  private static boolean isOk(HttpURLConnection connection) {
    try {
      // A name is only as local as what it leads to now.
      var host = connection.getURL().getHost();
      return InetAddress.getByName(host).isLoopbackAddress()
          && connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException _) {
      return false;
    } finally {
      connection.disconnect();
    }
  }
}
