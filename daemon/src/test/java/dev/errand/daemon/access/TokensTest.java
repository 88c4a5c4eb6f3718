package dev.errand.daemon.access;

import static dev.errand.core.policy.Profile.FULL_AUTO;
import static dev.errand.core.policy.Profile.SAFE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.home.HomeRefused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens are known by their digest, give no more than their maker had, and end at once. */
final class TokensTest {
  private static final Tokens.Manager OWNER = new Tokens.Manager.Owner("cli");

  @TempDir Path folder;
  private Tokens tokens;

  @BeforeEach
  void start() throws IOException {
    tokens = open();
  }

  private Tokens open() throws IOException {
    return Tokens.open(
        folder.resolve("token"), folder.resolve("tokens.json"), SAFE, InstantSource.system());
  }

  private Tokens.Minted mint(
      Tokens.Manager by, String name, Profile profile, @Nullable String session) {
    var bound = session == null ? null : new SessionId(session);
    return tokens.mint(by, new Tokens.NewToken(name, profile, bound));
  }

  private static Tokens.Manager holder(Tokens.Minted minted) {
    return new Tokens.Manager.Holder(minted.grant());
  }

  private static void refused(ErrorCode code, ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(ErrandException.class, it -> assertThat(it.code()).isEqualTo(code));
  }

  @Test
  void a_file_that_holds_no_token_is_refused_in_a_sentence() throws IOException {
    var file = folder.resolve("token");
    for (var garbage :
        List.of(
            new byte[] {(byte) 0xff, 0x00, (byte) 0xc3},
            "a b".getBytes(StandardCharsets.UTF_8),
            new byte[5_000])) {
      Files.write(file, garbage);
      assertThatThrownBy(this::open)
          .isInstanceOf(HomeRefused.class)
          .hasMessage(file + " contains no token; remove it to get a new one");
    }
    Files.delete(file);
    Files.createDirectory(file);
    assertThatThrownBy(this::open).isInstanceOf(HomeRefused.class);
  }

  @Test
  void the_default_token_is_made_once_for_its_owner_only() throws IOException {
    var file = folder.resolve("token");
    var text = Files.readString(file);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(text).hasSizeGreaterThan(40);
    assertThat(tokens.grantOf(text)).map(Grant::profile).contains(SAFE);
    assertThat(tokens.grantOf(text + "x")).isEmpty();
    assertThat(tokens.grantOf("")).isEmpty();
    assertThat(open().grantOf(text)).map(Grant::name).contains("default");
  }

  @Test
  void a_minted_token_is_kept_as_a_digest_and_known_after_a_restart() throws IOException {
    var minted = mint(OWNER, "ci", SAFE, "build");

    var onDisk = Files.readString(folder.resolve("tokens.json"));
    assertThat(onDisk).contains("\"ci\"").doesNotContain(minted.token());
    assertThat(minted.toString()).doesNotContain(minted.token());
    assertThat(open().grantOf(minted.token())).contains(minted.grant());
  }

  @Test
  void a_rotated_token_is_worth_nothing_from_then_on() throws IOException {
    var old = mint(OWNER, "ci", SAFE, null);

    var fresh = tokens.rotate(OWNER, "ci");

    assertThat(tokens.grantOf(old.token())).isEmpty();
    assertThat(tokens.holds(old.grant())).isFalse();
    assertThat(tokens.grantOf(fresh.token())).contains(fresh.grant());
    assertThat(open().grantOf(old.token())).isEmpty();
  }

  @Test
  void the_default_token_is_rotated_in_its_file() throws IOException {
    var old = Files.readString(folder.resolve("token"));

    var fresh = tokens.rotate(OWNER, Tokens.DEFAULT);

    assertThat(Files.readString(folder.resolve("token"))).isEqualTo(fresh.token());
    assertThat(tokens.grantOf(old)).isEmpty();
    refused(ErrorCode.INVALID_REQUEST, () -> tokens.revoke(OWNER, Tokens.DEFAULT));
  }

  @Test
  void what_a_token_made_goes_with_it() {
    var parent = mint(OWNER, "parent", FULL_AUTO, null);
    var child = mint(holder(parent), "child", SAFE, null);
    var grandchild = mint(holder(child), "grandchild", SAFE, "s");
    var other = mint(OWNER, "other", SAFE, null);

    assertThat(tokens.revoke(OWNER, "parent")).containsExactly("child", "grandchild", "parent");
    assertThat(tokens.grantOf(grandchild.token())).isEmpty();
    assertThat(tokens.grantOf(other.token())).isPresent();
  }

  @Test
  void a_token_gives_only_what_it_has() {
    var safe = holder(mint(OWNER, "safe", SAFE, null));
    var bound = holder(mint(OWNER, "bound", FULL_AUTO, "a"));

    refused(ErrorCode.FORBIDDEN, () -> mint(safe, "x", FULL_AUTO, null));
    refused(ErrorCode.FORBIDDEN, () -> mint(bound, "x", SAFE, null));
    refused(ErrorCode.FORBIDDEN, () -> mint(bound, "x", SAFE, "b"));
    assertThat(mint(bound, "x", FULL_AUTO, "a").grant().mintedBy()).isEqualTo("bound");
    assertThat(mint(safe, "y", SAFE, "b").grant().session()).isEqualTo(new SessionId("b"));
  }

  @Test
  void nobody_takes_over_what_the_daemon_made() {
    var ci = mint(OWNER, "ci", SAFE, "build");

    for (var name : List.of("daemon", "default", "cli", "nobody")) {
      refused(ErrorCode.TOKEN_EXISTS, () -> mint(holder(ci), name, SAFE, "build"));
      refused(ErrorCode.TOKEN_EXISTS, () -> mint(OWNER, name, SAFE, null));
    }
    refused(ErrorCode.TOKEN_NOT_FOUND, () -> tokens.rotate(holder(ci), "default"));
  }

  @Test
  void a_token_of_the_name_of_its_maker_does_not_own_the_default_one() throws IOException {
    mint(OWNER, "ci", SAFE, null);
    var file = folder.resolve("tokens.json");
    Files.writeString(file, Files.readString(file).replace("\"ci\"", "\"daemon\""));
    tokens = open();
    var daemon = tokens.list(OWNER).getLast();

    refused(
        ErrorCode.TOKEN_NOT_FOUND,
        () -> tokens.rotate(new Tokens.Manager.Holder(daemon), "default"));
    assertThat(tokens.revoke(OWNER, "daemon")).containsExactly("daemon");
    assertThat(tokens.list(OWNER)).extracting(Grant::name).containsExactly("default");
  }

  @Test
  void a_name_gives_nothing_to_what_a_token_made() throws IOException {
    var ci = mint(OWNER, "ci", SAFE, null);
    mint(holder(ci), "victim", SAFE, null);
    mint(OWNER, "bound", SAFE, "build");

    assertThat(open().list(OWNER))
        .extracting(it -> it.name() + ":" + it.home().value())
        .containsExactly("default:default", "ci:ci", "victim:ci", "bound:build");
  }

  @Test
  void a_holder_sees_and_ends_only_what_it_made() {
    var one = holder(mint(OWNER, "one", SAFE, null));
    mint(OWNER, "two", SAFE, null);
    mint(one, "three", SAFE, null);

    assertThat(tokens.list(one)).extracting(Grant::name).containsExactly("one", "three");
    assertThat(tokens.list(OWNER))
        .extracting(Grant::name)
        .containsExactly("default", "one", "two", "three");
    refused(ErrorCode.TOKEN_NOT_FOUND, () -> tokens.revoke(one, "two"));
    refused(ErrorCode.TOKEN_NOT_FOUND, () -> tokens.rotate(one, "default"));
    assertThat(tokens.revoke(one, "three")).containsExactly("three");
  }

  @Test
  void who_was_revoked_or_rotated_meanwhile_makes_and_takes_nothing() {
    var revoked = mint(OWNER, "agent", SAFE, null);
    var rotated = mint(OWNER, "ci", SAFE, null);
    tokens.revoke(OWNER, "agent");
    tokens.rotate(OWNER, "ci");

    for (var gone : List.of(revoked, rotated)) {
      refused(ErrorCode.UNAUTHENTICATED, () -> mint(holder(gone), "heir", SAFE, null));
      refused(ErrorCode.UNAUTHENTICATED, () -> tokens.rotate(holder(gone), "ci"));
      refused(ErrorCode.UNAUTHENTICATED, () -> tokens.revoke(holder(gone), "ci"));
    }
    assertThat(tokens.list(OWNER)).hasSize(2);
  }

  @Test
  void a_name_is_given_once() {
    mint(OWNER, "ci", SAFE, null);

    for (var name : List.of("ci", "default", "cli", "nobody")) {
      refused(ErrorCode.TOKEN_EXISTS, () -> mint(OWNER, name, SAFE, null));
    }
    refused(ErrorCode.TOKEN_NOT_FOUND, () -> tokens.revoke(OWNER, "nowhere"));
  }

  @Test
  void a_damaged_file_is_refused_and_not_taken_for_an_empty_one() throws IOException {
    Files.writeString(folder.resolve("tokens.json"), "{\"tokens\":[{\"name\":\"ci\"}]}");
    assertThatThrownBy(this::open).isInstanceOf(HomeRefused.class).hasMessageContaining("tokens");

    Files.writeString(folder.resolve("tokens.json"), "{\"tok");
    assertThatThrownBy(this::open).isInstanceOf(HomeRefused.class);
  }
}
