package dev.errand.daemon.webhook;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.config.Config;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which addresses notices may be sent to. The daemon can reach addresses that its callers cannot,
 * so by default only this machine is allowed, by a name or number that needs no name server.
 */
final class Addresses {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[(?:::1|0:0:0:0:0:0:0:1)]");

  private Addresses() {}

  /** Parses and checks the address. */
  static URI checked(String text, Config.Webhooks allowed) {
    var uri = parsed(text);
    var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    var host = uri.getHost();
    if (!(scheme.equals("http") || scheme.equals("https")) || host == null) {
      throw refused("url must be an http or https address such as http://127.0.0.1:8080/notices");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw refused("url must not contain a user, a password or a fragment (#)");
    }
    switch (allowed) {
      case OFF ->
          throw new ErrandException(
              ErrorCode.FORBIDDEN, "webhooks are off; set inbox.webhooks to turn them on");
      case LOOPBACK -> {
        if (!LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
          throw new ErrandException(
              ErrorCode.FORBIDDEN,
              "notices may only be sent to localhost, 127.0.0.1 and [::1]; inbox.webhooks ="
                  + " \"any\" allows other machines");
        }
      }
      case ANY -> {}
    }
    return uri;
  }

  private static URI parsed(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException _) {
      throw refused("url is not a valid address");
    }
  }

  private static ErrandException refused(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }
}
