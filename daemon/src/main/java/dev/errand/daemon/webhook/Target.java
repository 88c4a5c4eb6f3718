package dev.errand.daemon.webhook;

import dev.errand.core.journal.Cursor;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The webhook of a session and its progress.
 *
 * @param delivered the cursor after the last notice that was delivered or given up
 * @param seen the cursor of a frame up to which all events are delivered or given up
 * @param pending what failed and is retried
 * @param tries the last attempts, oldest first
 */
public record Target(
    Setting setting, String delivered, String seen, @Nullable Pending pending, List<Try> tries) {

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
   * @param events what is posted beside the notices
   */
  public record Setting(
      String url,
      String secret,
      boolean ack,
      long setAtMs,
      String setBy,
      List<WebhookEvent> events) {
    public Setting {
      events = List.copyOf(events);
    }

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

  /**
   * What failed last, a notice or an event.
   *
   * @param tries how many tries in a row have failed
   */
  public record Pending(String noticeId, int tries, long nextAtMs) {}

  /**
   * One attempt.
   *
   * @param noticeId the id of the notice or event
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
      @Nullable String error) {
    static final String DELIVERED = "delivered";
    static final String FAILED = "failed";
    static final String GIVEN_UP = "given_up";
  }

  /**
   * How many tries in a row have failed. What failed may be gone since, merged or removed; then
   * what comes in its place waits as long.
   */
  int failures() {
    return pending == null ? 0 : pending.tries();
  }

  /** Whether the last try failed, also where there is nothing left to try. */
  public boolean isFailing() {
    return !tries.isEmpty() && !tries.getLast().outcome().equals(Try.DELIVERED);
  }

  /** The same at that time: a next try that should have been before is to be now. */
  Target at(long nowMs) {
    return pending == null || pending.nextAtMs() >= nowMs
        ? this
        : new Target(
            setting,
            delivered,
            seen,
            new Pending(pending.noticeId(), pending.tries(), nowMs),
            tries);
  }

  /** After that posting. */
  Target doneWith(Posting posting, Try last) {
    var cursor = posting.cursor().text();
    return switch (posting) {
      case Posting.OfNotice _ -> new Target(setting, cursor, seen, null, with(last));
      case Posting.OfEvent _ -> new Target(setting, delivered, cursor, null, with(last));
    };
  }

  Target tryAgain(Try last, long nextAtMs) {
    var next = new Pending(last.noticeId(), last.number(), nextAtMs);
    return new Target(setting, delivered, seen, next, with(last));
  }

  /** Past a notice that is not posted. */
  Target past(Cursor notice) {
    return new Target(setting, notice.text(), seen, pending, tries);
  }

  /** With nothing to post up to that frame. */
  Target seen(Cursor frame) {
    return new Target(setting, delivered, frame.text(), pending, tries);
  }

  /** With nothing to try again. */
  Target idle() {
    return new Target(setting, delivered, seen, null, tries);
  }

  private List<Try> with(Try last) {
    var more = new ArrayList<>(tries);
    more.add(last);
    return more.subList(Math.max(0, more.size() - TRIES_MAX), more.size());
  }
}
