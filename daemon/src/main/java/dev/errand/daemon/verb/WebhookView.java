package dev.errand.daemon.verb;

import dev.errand.daemon.webhook.Target;
import org.jspecify.annotations.Nullable;

/**
 * A webhook as it is shown.
 *
 * @param url without its path and query, of which either may be a key
 * @param ack whether an answer of success acknowledges the notice
 * @param nextTryAtMs when a notice that was not taken is tried again; null where none is
 * @param secret the one that was made when the webhook was set; null at any other time
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
