package dev.errand.daemon.webhook;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The webhook of a session and its progress.
 *
 * @param delivered the cursor after the last notice that was delivered or given up
 * @param pending the notice that failed and is retried
 * @param tries the last attempts, oldest first
 */
public record Target(
    Setting setting, String delivered, @Nullable Pending pending, List<Try> tries) {

  /** Limit of kept attempts. */
  static final int TRIES_MAX = 50;

  public Target {
    tries = List.copyOf(tries);
  }

  /**
   * The requested settings.
   *
   * @param secret the name of the file with the signing secret
   * @param ack whether a successful response acknowledges the notice
   */
  public record Setting(String url, String secret, boolean ack, long setAtMs, String setBy) {
    /** The address without its path and query, of which either may be a key. */
    public String shownUrl() {
      var uri = URI.create(url);
      var path = uri.getRawPath();
      var bare = uri.getRawQuery() == null && (path.isEmpty() || path.equals("/"));
      return uri.getScheme() + "://" + uri.getRawAuthority() + (bare ? path : "/…");
    }

    @Override
    public String toString() {
      return "Setting[" + shownUrl() + "]";
    }
  }

  public record Pending(String noticeId, int tries, long nextAtMs) {}

  /**
   * One attempt.
   *
   * @param outcome {@code delivered}, {@code failed} or {@code given_up}
   * @param status the status of the response; absent if there was none
   */
  public record Try(
      String noticeId,
      int number,
      long atMs,
      long tookMs,
      String outcome,
      @Nullable Integer status,
      @Nullable String error) {}

  /** The number of attempts of this notice, if it is the pending one; 0 otherwise. */
  int triesOf(String noticeId) {
    return pending != null && pending.noticeId().equals(noticeId) ? pending.tries() : 0;
  }

  Target doneWith(String cursor, Try last) {
    return new Target(setting, cursor, null, with(last));
  }

  Target tryAgain(Try last, long nextAtMs) {
    var next = new Pending(last.noticeId(), last.number(), nextAtMs);
    return new Target(setting, delivered, next, with(last));
  }

  private List<Try> with(Try last) {
    var more = new ArrayList<>(tries);
    more.add(last);
    return more.subList(Math.max(0, more.size() - TRIES_MAX), more.size());
  }
}
