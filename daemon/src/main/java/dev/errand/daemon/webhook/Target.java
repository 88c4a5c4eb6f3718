package dev.errand.daemon.webhook;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the notices of a session go, and how far they got.
 *
 * @param delivered the cursor behind the last notice that is done with
 * @param pending the notice that is being tried, where it was not taken at once
 * @param tries the last ones, oldest first
 */
public record Target(
    Setting setting, String delivered, @Nullable Pending pending, List<Try> tries) {

  /** Tries that are shown; older ones are forgotten. */
  static final int TRIES_MAX = 50;

  public Target {
    tries = List.copyOf(tries);
  }

  /**
   * What was asked for.
   *
   * @param secret the name of the file with what deliveries are signed with
   * @param ack whether an answer of success acknowledges the notice
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
   * One try.
   *
   * @param outcome {@code delivered}, {@code failed} or {@code given_up}
   * @param status what the target answered; absent where no answer came
   */
  public record Try(
      String noticeId,
      int number,
      long atMs,
      long tookMs,
      String outcome,
      @Nullable Integer status,
      @Nullable String error) {}

  /** How often this notice was tried, as far as it is the one that is pending. */
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
