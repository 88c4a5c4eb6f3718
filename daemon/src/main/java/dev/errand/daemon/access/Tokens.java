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
 * The tokens by which callers are known. Every change counts from the moment it returns: on disk,
 * and for whoever shows a token next. Nobody gives more than he has, and what a token made goes
 * with it.
 */
public final class Tokens {
  /** The token in the home folder, which clients on this machine read for themselves. */
  public static final String DEFAULT = "default";

  /** Each one shown is compared with all. */
  private static final int COUNT_MAX = 1_000;

  /** Far more than any token has; what is larger is some other file. */
  private static final int FILE_BYTES_MAX = 4_096;

  /** Who made the default token. */
  private static final String DAEMON = "daemon";

  /** Names that frames use for callers without a token, and that no token may have therefore. */
  private static final Set<String> RESERVED = Set.of(DEFAULT, DAEMON, "cli", "nobody");

  private final Path defaultFile;
  private final TokenFile file;
  private final Profile defaultProfile;
  private final InstantSource clock;

  /** The default token is the first; replaced as a whole, so that readers need no lock. */
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

  /** Reads the tokens, and makes the default one where there is none. */
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
      throw new HomeRefused(defaultFile + " is empty; remove it, and a new token is made");
    }
    // What no header can hold opens nothing.
    if (!token.chars().allMatch(it -> it > ' ' && it < 0x7f)) {
      throw notToken();
    }
    var issued = Files.getLastModifiedTime(defaultFile).toMillis();
    return entry(new NewToken(DEFAULT, defaultProfile, null), null, token, DAEMON, issued);
  }

  private HomeRefused notToken() {
    return new HomeRefused(defaultFile + " holds no token; remove it, and a new one is made");
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

  /** What this token is good for; empty for a token of nobody. */
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

  /** Whether what was granted has been neither rotated nor revoked since. */
  public boolean holds(Grant grant) {
    return entries.stream().anyMatch(it -> it.grant().equals(grant));
  }

  /** Whether a caller of this name may still ask: there is such a token, or it needs none. */
  public boolean knows(String principal) {
    return RESERVED.contains(principal) || find(principal).isPresent();
  }

  /** A token to hand out; it is not kept and cannot be shown again. */
  public record Minted(Grant grant, String token) {
    /** Without the token. */
    @Override
    public String toString() {
      return "Minted[" + grant + "]";
    }
  }

  /** What a new token is to be. */
  public record NewToken(String name, Profile profile, @Nullable SessionId session) {}

  /** Who manages tokens. */
  public sealed interface Manager {
    /** Whoever owns the daemon: all tokens are theirs. */
    record Owner(String name) implements Manager {}

    /** The holder of a token: itself and what it made are theirs. */
    record Holder(Grant grant) implements Manager {}
  }

  public synchronized Minted mint(Manager by, NewToken wanted) {
    mustHold(by);
    if (by instanceof Manager.Holder(var own) && !own.covers(wanted.profile(), wanted.session())) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "a token can give only what it has: " + rightsOf(own));
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

  /** A name must give nothing: what a token makes is at home where that token is. */
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

  /** A new secret for the same rights; the old one is worth nothing from now on. */
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

  /** Takes a token away, and all that were made by it; returns their names. */
  public synchronized List<String> revoke(Manager by, String name) {
    mustHold(by);
    managed(by, name);
    if (name.equals(DEFAULT)) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "the default token can only be rotated; to shut the TCP door, remove http.listen");
    }
    var gone = madeBy(name);
    var all = new ArrayList<>(entries);
    all.removeIf(it -> gone.contains(it.grant().name()));
    replace(all);
    return gone.stream().sorted().toList();
  }

  /** What a token asks for while it is taken away must not outlive it. */
  private void mustHold(Manager by) {
    if (by instanceof Manager.Holder(var own) && !holds(own)) {
      throw takenBack();
    }
  }

  /** The refusal of a token that was good when it was shown. */
  public static ErrandException takenBack() {
    return new ErrandException(
        ErrorCode.UNAUTHENTICATED, "this token was taken back before the answer was there");
  }

  /** The tokens that are this manager's, oldest first. */
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

  /** This token, what it made, and what those made; no token has made the default one. */
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

  /** On disk first: what a crash would undo must not have been said. */
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
