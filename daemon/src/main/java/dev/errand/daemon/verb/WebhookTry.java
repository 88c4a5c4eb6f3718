package dev.errand.daemon.verb;

import dev.errand.daemon.webhook.Target;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to post a notice or an event.
 *
 * @param noticeId the id of either
 * @param number from 1; how many tries in a row it is that one has failed, this one included
 * @param outcome {@code delivered}, {@code failed} or {@code given_up}
 * @param status the HTTP status of the response; null if there was none
 */
public record WebhookTry(
    String noticeId,
    int number,
    long atMs,
    long tookMs,
    String outcome,
    @Nullable Integer status,
    @Nullable String error) {

  static WebhookTry of(Target.Try it) {
    return new WebhookTry(
        it.noticeId(), it.number(), it.atMs(), it.tookMs(), it.outcome(), it.status(), it.error());
  }
}
