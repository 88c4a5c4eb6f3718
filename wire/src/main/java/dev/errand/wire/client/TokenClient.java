package dev.errand.wire.client;

import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates, lists, rotates and revokes tokens. */
public final class TokenClient {
  private final Transport transport;

  TokenClient(Transport transport) {
    this.transport = transport;
  }

  /**
   * A new token of this name; its field {@code token} is returned only now. A profile or session of
   * null leaves the choice to the daemon: {@code safe}, and all sessions.
   */
  public JsonFields mint(String name, @Nullable String profile, @Nullable String session) {
    var body =
        JsonWriter.object(out -> {
          out.text("name", name);
          if (profile != null) {
            out.text("profile", profile);
          }
          if (session != null) {
            out.text("session_id", session);
          }
        });
    return transport.call(HttpRequest.of("POST", Routes.TOKENS).json(body)).json();
  }

  /** All tokens that the caller can manage, oldest first, without secrets. */
  public List<JsonFields> list() {
    var tokens = new ArrayList<JsonFields>();
    for (var token : transport.call(HttpRequest.of("GET", Routes.TOKENS)).json().node()) {
      tokens.add(new JsonFields(token));
    }
    return tokens;
  }

  /** A new secret for the same name and rights; the old one ends at once. */
  public JsonFields rotate(String name) {
    return transport
        .call(HttpRequest.of("POST", Routes.token(name) + "/rotate").json(new byte[] {'{', '}'}))
        .json();
  }

  /** Revokes a token and those created with it; returns their names. */
  public List<String> revoke(String name) {
    return transport.call(HttpRequest.of("DELETE", Routes.token(name))).json().texts("revoked");
  }
}
