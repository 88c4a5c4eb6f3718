package dev.errand.daemon.access;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.home.HomeRefused;
import dev.errand.daemon.home.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that identify callers. Every change takes effect before the call returns: on disk, and
 * for the next request with a token. A caller cannot grant more rights than it has, and revoking a
 * token also revokes the tokens that it created.
 */
public final class Tokens {
  /** The token in the home folder, which clients on this machine read. */
  public static final String DEFAULT = "default";

  /** The limit of tokens: each presented token is compared with all. */
  private static final int COUNT_MAX = 1_000;

  /** Far larger than any token; a larger file is not a token. */
  private static final int FILE_BYTES_MAX = 4_096;

  /** Who created the default token. */
  private static final String DAEMON = "daemon";

  /** Names that frames use for callers without a token; no token may have one of them. */
  private static final Set<String> RESERVED = Set.of(DEFAULT, DAEMON, "cli", "nobody");

  private final Path defaultFile;
  private final TokenFile file;
  private final Profile defaultProfile;
  private final InstantSource clock;

  /**
   * The default token is the first. The list is replaced as a whole, so that readers need no lock.
   */
  private volatile List<TokenFile.Entry> entries;

  private Tokens(Path defaultFile, TokenFile file, Profile defaultProfile, InstantSource clock)
      throws IOException {
    this.defaultFile = defaultFile;
    this.file = file;
    this.defaultProfile = defaultProfile;
    this.clock = clock;
    var all = new ArrayList<TokenFile.Entry>();
    all.add(readDefault());
    all.addAll(file.read());
    this.entries = List.copyOf(all);
  }

  /** Reads the tokens, and creates the default one if it is missing. */
  public static Tokens open(
      Path defaultFile, Path file, Profile defaultProfile, InstantSource clock) throws IOException {
    return new Tokens(defaultFile, new TokenFile(file), defaultProfile, clock);
  }

  private TokenFile.Entry readDefault() throws IOException {
    if (!Files.exists(defaultFile)) {
      writeDefault(Secret.fresh());
    }
    if (!Files.isRegularFile(defaultFile) || Files.size(defaultFile) > FILE_BYTES_MAX) {
      throw notToken();
    }
    var token = new String(Files.readAllBytes(defaultFile), StandardCharsets.ISO_8859_1).strip();
    if (token.isEmpty()) {
      throw new HomeRefused(defaultFile + " is empty; remove it to get a new token");
    }
    // A text that no header can contain is not a token.
    if (!token.chars().allMatch(it -> it > ' ' && it < 0x7f)) {
      throw notToken();
    }
    var issued = Files.getLastModifiedTime(defaultFile).toMillis();
    return entry(new NewToken(DEFAULT, defaultProfile, null), null, token, DAEMON, issued);
  }

  private HomeRefused notToken() {
    return new HomeRefused(defaultFile + " contains no token; remove it to get a new one");
  }

  private void writeDefault(String token) throws IOException {
    PrivateFile.write(defaultFile, token.getBytes(StandardCharsets.UTF_8));
  }

  private static TokenFile.Entry entry(
      NewToken wanted, @Nullable SessionId home, String token, String mintedBy, long atMs) {
    var secret = Secret.of(token);
    var own = home == null ? new SessionId(wanted.name()) : home;
    var grant =
        new Grant(
            wanted.name(), wanted.profile(), wanted.session(), own, secret.keyId(), mintedBy, atMs);
    return new TokenFile.Entry(grant, secret);
  }

  /** The rights of this token; empty if it is unknown. */
  public Optional<Grant> grantOf(String token) {
    var shown = Secret.of(token);
    Optional<Grant> found = Optional.empty();
    for (var entry : entries) {
      if (entry.secret().matches(shown)) {
        found = Optional.of(entry.grant());
      }
    }
    return found;
  }

  /** Whether the token was neither rotated nor revoked since this was granted. */
  public boolean holds(Grant grant) {
    return entries.stream().anyMatch(it -> it.grant().equals(grant));
  }

  /** Whether a caller of this name may still send requests: its token exists, or it needs none. */
  public boolean knows(String principal) {
    return RESERVED.contains(principal) || find(principal).isPresent();
  }

  /** A new token for its holder; it is not stored and cannot be shown again. */
  public record Minted(Grant grant, String token) {
    /** Without the token. */
    @Override
    public String toString() {
      return "Minted[" + grant + "]";
    }
  }

  /** The rights and the name that a new token is to have. */
  public record NewToken(String name, Profile profile, @Nullable SessionId session) {}

  /** Who manages tokens. */
  public sealed interface Manager {
    /** The owner of the daemon, who manages all tokens. */
    record Owner(String name) implements Manager {}

    /** The holder of a token, who manages that token and those that it created. */
    record Holder(Grant grant) implements Manager {}
  }

  public synchronized Minted mint(Manager by, NewToken wanted) {
    mustHold(by);
    if (by instanceof Manager.Holder(var own) && !own.covers(wanted.profile(), wanted.session())) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "a token cannot grant more rights than it has: " + rightsOf(own));
    }
    if (RESERVED.contains(wanted.name()) || find(wanted.name()).isPresent()) {
      throw new ErrandException(
          ErrorCode.TOKEN_EXISTS,
          "there is a token " + wanted.name() + " already; rotate it, or choose another name");
    }
    if (entries.size() >= COUNT_MAX) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED, "there are " + COUNT_MAX + " tokens; revoke some first");
    }
    var token = Secret.fresh();
    var minted = entry(wanted, home(by, wanted), token, nameOf(by), clock.millis());
    var all = new ArrayList<>(entries);
    all.add(minted);
    replace(all);
    return new Minted(minted.grant(), token);
  }

  /** A name must grant nothing: a new token has the home session of the token that creates it. */
  private static @Nullable SessionId home(Manager by, NewToken wanted) {
    if (wanted.session() != null) {
      return wanted.session();
    }
    return switch (by) {
      case Manager.Owner _ -> null;
      case Manager.Holder(var grant) -> grant.home();
    };
  }

  private static String rightsOf(Grant grant) {
    var session = grant.session();
    return "profile "
        + grant.profile().word()
        + (session == null ? "" : " and session " + session.value());
  }

  private static String nameOf(Manager by) {
    return switch (by) {
      case Manager.Owner(var name) -> name;
      case Manager.Holder(var grant) -> grant.name();
    };
  }

  /** Creates a new secret with the same rights; the old one is invalid from now on. */
  public synchronized Minted rotate(Manager by, String name) {
    mustHold(by);
    var old = managed(by, name).grant();
    var token = Secret.fresh();
    var rights = new NewToken(name, old.profile(), old.session());
    var fresh = entry(rights, old.home(), token, old.mintedBy(), clock.millis());
    if (name.equals(DEFAULT)) {
      failing(() -> writeDefault(token));
    }
    var all = new ArrayList<>(entries);
    all.replaceAll(it -> it.grant().name().equals(name) ? fresh : it);
    replace(all);
    return new Minted(fresh.grant(), token);
  }

  /** Revokes a token and all that it created; returns their names. */
  public synchronized List<String> revoke(Manager by, String name) {
    mustHold(by);
    managed(by, name);
    if (name.equals(DEFAULT)) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "the default token can only be rotated; to close the TCP port, remove http.listen");
    }
    var gone = madeBy(name);
    var all = new ArrayList<>(entries);
    all.removeIf(it -> gone.contains(it.grant().name()));
    replace(all);
    return gone.stream().sorted().toList();
  }

  /** Work that a token requests while it is being revoked must not outlive it. */
  private void mustHold(Manager by) {
    if (by instanceof Manager.Holder(var own) && !holds(own)) {
      throw takenBack();
    }
  }

  /** The refusal of a token that was valid when the request arrived. */
  public static ErrandException takenBack() {
    return new ErrandException(
        ErrorCode.UNAUTHENTICATED, "this token was revoked before the request was answered");
  }

  /** The tokens that this manager may manage, oldest first. */
  public List<Grant> list(Manager by) {
    return entries.stream().map(TokenFile.Entry::grant).filter(it -> isOf(by, it.name())).toList();
  }

  private TokenFile.Entry managed(Manager by, String name) {
    return find(name)
        .filter(_ -> isOf(by, name))
        .orElseThrow(() ->
            new ErrandException(
                ErrorCode.TOKEN_NOT_FOUND, "there is no token of this name; list them to see"));
  }

  private boolean isOf(Manager by, String name) {
    return switch (by) {
      case Manager.Owner _ -> true;
      case Manager.Holder(var own) -> madeBy(own.name()).contains(name);
    };
  }

  /**
   * This token, and those that it created directly or indirectly; no token created the default one.
   */
  private Set<String> madeBy(String name) {
    var names = new HashSet<>(Set.of(name));
    var minted = entries.subList(1, entries.size());
    var grown = true;
    while (grown) {
      grown = false;
      for (var entry : minted) {
        if (names.contains(entry.grant().mintedBy())) {
          grown |= names.add(entry.grant().name());
        }
      }
    }
    return names;
  }

  private Optional<TokenFile.Entry> find(String name) {
    return entries.stream().filter(it -> it.grant().name().equals(name)).findFirst();
  }

  /** Written to disk first: a crash must not undo a change that was announced. */
  private void replace(List<TokenFile.Entry> all) {
    failing(() -> file.write(all.subList(1, all.size())));
    entries = List.copyOf(all);
  }

  private interface Writing {
    void run() throws IOException;
  }

  private static void failing(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INSUFFICIENT_STORAGE, "the tokens cannot be written: " + e.getMessage(), e);
    }
  }
}
