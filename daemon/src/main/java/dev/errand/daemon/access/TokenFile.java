package dev.errand.daemon.access;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.home.HomeRefused;
import dev.errand.daemon.home.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The minted tokens on disk: names, rights, and of each secret only its digest. */
final class TokenFile {
  private final Path file;

  TokenFile(Path file) {
    this.file = file;
  }

  /** One token: its rights, and the digest of its secret. */
  record Entry(Grant grant, Secret secret) {}

  /** All minted tokens; none if there is no file. */
  List<Entry> read() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      var entries = new ArrayList<Entry>();
      for (var json : JsonMapper.shared().readTree(Files.readString(file)).path("tokens")) {
        entries.add(entry(json));
      }
      return entries;
    } catch (JacksonException | IllegalArgumentException e) {
      throw new HomeRefused(
          file + " cannot be parsed; restore a copy of it, or remove it to revoke all tokens");
    }
  }

  private static Entry entry(JsonNode json) {
    var secret = Secret.ofHex(text(json, "sha256"));
    var session = session(json.path("session_id"));
    var home = session(json.path("home"));
    var name = text(json, "name");
    var grant =
        new Grant(
            name,
            profile(text(json, "profile")),
            session,
            home == null ? new SessionId(name) : home,
            secret.keyId(),
            text(json, "minted_by"),
            json.path("issued_at_ms").asLong(0));
    return new Entry(grant, secret);
  }

  private static String text(JsonNode json, String name) {
    var value = json.path(name);
    if (!value.isString()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value.stringValue();
  }

  private static Profile profile(String word) {
    return Profile.ofWord(word).orElseThrow(() -> new IllegalArgumentException("no such profile"));
  }

  private static @Nullable SessionId session(JsonNode json) {
    return json.isString() ? new SessionId(json.stringValue()) : null;
  }

  /** Replaces all of them; on disk when it returns. */
  void write(List<Entry> entries) throws IOException {
    var root = JsonMapper.shared().createObjectNode();
    var tokens = root.putArray("tokens");
    for (var entry : entries) {
      var grant = entry.grant();
      var session = grant.session();
      tokens
          .addObject()
          .put("name", grant.name())
          .put("profile", grant.profile().word())
          .put("session_id", session == null ? null : session.value())
          .put("home", grant.home().value())
          .put("sha256", entry.secret().hex())
          .put("minted_by", grant.mintedBy())
          .put("issued_at_ms", grant.issuedAtMs());
    }
    PrivateFile.write(file, JsonMapper.shared().writeValueAsBytes(root));
  }
}
