package dev.errand.daemon.webhook;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.config.Config;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which addresses notices may be sent to. The daemon reaches what its callers may not reach, so by
 * default that is this machine only, by a name or number that no name server is asked about.
 */
final class Addresses {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[(?:::1|0:0:0:0:0:0:0:1)]");

  private Addresses() {}

  /** The address, if it is one and allowed. */
  static URI checked(String text, Config.Webhooks allowed) {
    var uri = parsed(text);
    var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    var host = uri.getHost();
    if (!(scheme.equals("http") || scheme.equals("https")) || host == null) {
      throw refused("url must be an address such as http://127.0.0.1:8080/notices");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw refused("url must have neither a user and password nor a part behind #");
    }
    switch (allowed) {
      case OFF ->
          throw new ErrandException(
              ErrorCode.FORBIDDEN, "webhooks are off here; inbox.webhooks turns them on");
      case LOOPBACK -> {
        if (!LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
          throw new ErrandException(
              ErrorCode.FORBIDDEN,
              "notices may be sent to localhost, 127.0.0.1 and [::1] only; inbox.webhooks ="
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
      throw refused("url is no address");
    }
  }

  private static ErrandException refused(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }
}
