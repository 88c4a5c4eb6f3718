package dev.errand.daemon.condition;

import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an address of this machine answers with 200. It is asked on a thread of its own, so that
 * one that never answers holds nobody up; redirects are not followed, wherever they lead.
 */
final class HttpCheck implements Check {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final int HTTP_PORT = 80;

  /** No name is looked up: who answers for it could lead us elsewhere. */
  private static final List<String> LOOPBACKS = List.of("127.0.0.1", "::1");

  private final URI url;
  private final @Nullable OwnServers own;
  private @Nullable HttpQuestion asked;
  private final Time clock;
  private long askedAtNanos;
  private long nextAtNanos;
  private boolean held;

  /** Asks only where these listen, or anybody where there are none. */
  HttpCheck(URI url, @Nullable OwnServers own, Time clock) {
    this.url = url;
    this.own = own;
    this.clock = clock;
    this.nextAtNanos = clock.ticks();
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
    var answer = open.isOk();
    if (answer == null && moment.nanos() - askedAtNanos < ANSWER_MAX.toNanos()) {
      return verdict(moment, moment.nanos() + LOOK_AGAIN.toNanos());
    }
    open.close();
    asked = null;
    return known(moment, answer != null && answer);
  }

  private Verdict known(Moment moment, boolean isOk) {
    held = isOk;
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
    var addresses = addresses(moment.taskId());
    if (addresses.isEmpty()) {
      return known(moment, false);
    }
    askedAtNanos = clock.ticks();
    asked = HttpQuestion.ask(url, addresses, ANSWER_MAX);
    return verdict(moment, moment.nanos() + LOOK_AGAIN.toNanos());
  }

  /** Those that may be asked now. */
  private List<InetSocketAddress> addresses(TaskId taskId) {
    var host = url.getHost().replaceAll("[\\[\\]]", "");
    return (host.equalsIgnoreCase("localhost") ? LOOPBACKS : List.of(host))
        .stream()
            .flatMap(it -> address(it).stream())
            .filter(it -> own == null || own.areAllAt(it, taskId))
            .toList();
  }

  /** Empty for what is no address, such as 127.0.0.999, or none of this machine. */
  private Optional<InetSocketAddress> address(String literal) {
    try {
      var port = url.getPort() < 0 ? HTTP_PORT : url.getPort();
      return Optional.of(new InetSocketAddress(InetAddress.ofLiteral(literal), port))
          .filter(it -> it.getAddress().isLoopbackAddress());
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
