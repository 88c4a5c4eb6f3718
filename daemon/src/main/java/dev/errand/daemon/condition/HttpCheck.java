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
 * a server that never answers blocks no other check; redirects are never followed.
 */
final class HttpCheck implements Check {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final int HTTP_PORT = 80;

  /** No name is resolved: a DNS server could point it to another machine. */
  private static final List<String> LOOPBACKS = List.of("127.0.0.1", "::1");

  private final URI url;
  private final @Nullable OwnServers own;
  private @Nullable HttpGet asked;
  private final Time clock;
  private long askedAtNanos;
  private long nextAtNanos;
  private boolean lastAnswer;

  /** Asks only where these listen, or anybody where there are none. */
  HttpCheck(URI url, @Nullable OwnServers own, Time clock) {
    this.url = url;
    this.own = own;
    this.clock = clock;
    this.nextAtNanos = clock.ticks();
  }

  @Override
  public CheckResult check(Observation seen) {
    if (seen.process() == null) {
      return CheckResult.UNTIL_FRAME;
    }
    var open = asked;
    if (open == null) {
      return nextAtNanos <= seen.nanos() ? ask(seen) : verdict(seen, nextAtNanos);
    }
    var answer = open.isOk();
    if (answer == null && seen.nanos() - askedAtNanos < ANSWER_MAX.toNanos()) {
      return verdict(seen, seen.nanos() + LOOK_AGAIN.toNanos());
    }
    open.close();
    asked = null;
    return known(seen, answer != null && answer);
  }

  private CheckResult known(Observation seen, boolean isOk) {
    lastAnswer = isOk;
    nextAtNanos = seen.nanos() + POLL.toNanos();
    return verdict(seen, nextAtNanos);
  }

  /** Until it is known to be otherwise, what was answered last holds. */
  private CheckResult verdict(Observation seen, long againNanos) {
    return lastAnswer
        ? new CheckResult.Holds(new ConditionMet.Http(seen.seq(), url.toString()))
        : new CheckResult.NotYet(Duration.ofNanos(Math.max(1, againNanos - seen.nanos())));
  }

  private CheckResult ask(Observation seen) {
    var addresses = addresses(seen.taskId());
    if (addresses.isEmpty()) {
      return known(seen, false);
    }
    askedAtNanos = clock.ticks();
    asked = HttpGet.start(url, addresses, ANSWER_MAX);
    return verdict(seen, seen.nanos() + LOOK_AGAIN.toNanos());
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
