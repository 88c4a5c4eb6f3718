package dev.errand.daemon.verb;

import dev.errand.daemon.webhook.Target;
import org.jspecify.annotations.Nullable;

/**
 * A webhook without its secret.
 *
 * @param url without its path and query, since either may contain a key
 * @param ack whether a successful response acknowledges the notice
 * @param nextTryAtMs when a notice that was not accepted is tried again; null if there is none
 * @param secret the one that was created with the webhook; null at any other time
 */
public record WebhookView(
    String url,
    boolean ack,
    long setAtMs,
    String setBy,
    @Nullable Long nextTryAtMs,
    @Nullable String secret) {

  static WebhookView of(Target target, @Nullable String secret) {
    var setting = target.setting();
    var pending = target.pending();
    return new WebhookView(
        setting.shownUrl(),
        setting.ack(),
        setting.setAtMs(),
        setting.setBy(),
        pending == null ? null : (Long) pending.nextAtMs(),
        secret);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "WebhookView[" + url + "]";
  }
}
