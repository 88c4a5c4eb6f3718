package dev.errand.daemon.verb;

import dev.errand.daemon.webhook.Target;
import dev.errand.daemon.webhook.WebhookEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A webhook without its secret.
 *
 * @param url without its path and query, since either may contain a key
 * @param ack whether a successful response acknowledges the notice
 * @param events what is posted beside the notices
 * @param failing whether the last try was not accepted
 * @param nextTryAtMs when what was not accepted is tried again, never in the past; null if there is
 *     nothing to try again
 * @param secret the one that was created with the webhook; null at any other time
 */
public record WebhookView(
    String url,
    boolean ack,
    List<String> events,
    long setAtMs,
    String setBy,
    boolean failing,
    @Nullable Long nextTryAtMs,
    @Nullable String secret) {

  static WebhookView of(Target target, @Nullable String secret) {
    var setting = target.setting();
    var pending = target.pending();
    return new WebhookView(
        setting.shownUrl(),
        setting.ack(),
        setting.events().stream().map(WebhookEvent::word).toList(),
        setting.setAtMs(),
        setting.setBy(),
        target.isFailing(),
        pending == null ? null : (Long) pending.nextAtMs(),
        secret);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "WebhookView[" + url + "]";
  }
}
