package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may do what over TCP: by a token from the command line, by the home's own, and by none. */
@Timeout(120)
@DaemonCase.Settings(
    """
    [http]
    listen = "127.0.0.1:0"

    [policy]
    profile = "full-auto"
    """)
final class TokenTest extends DaemonCase {

  @Test
  void a_token_is_shown_once_and_is_good_until_it_is_rotated_or_revoked() throws Exception {
    var first = sandbox.errand("token", "new", "ci", "--profile", "full-auto").line();
    assertThat(spawned(first).text("by")).isEqualTo("ci");

    var second = sandbox.errand("token", "rotate", "ci").line();
    assertRefused(() -> spawned(first), ErrorCode.UNAUTHENTICATED);
    assertThat(spawned(second).text("by")).isEqualTo("ci");

    var listed = sandbox.errand("token", "ls").succeeded().out();
    assertThat(listed).contains("ci", "full-auto").doesNotContain(first, second);
    var told = sandbox.errand("token", "ls", "--json").succeeded();
    assertThat(told.jsonLines())
        .filteredOn(it -> it.path("name").stringValue("").equals("ci"))
        .hasSize(1);
    assertThat(told.out()).doesNotContain(first, second);

    assertThat(sandbox.errand("token", "revoke", "ci").line()).isEqualTo("revoked ci");
    assertRefused(() -> spawned(second), ErrorCode.UNAUTHENTICATED);
    assertThat(sandbox.errand("token", "ls").succeeded().out()).doesNotContain("ci ");
    sandbox.assertNowhere(first);
    sandbox.assertNowhere(second);
  }

  @Test
  void the_homes_own_token_has_the_profile_of_the_settings_and_others_have_their_own()
      throws Exception {
    var home = spawned(Files.readString(sandbox.home().token()).strip());
    assertThat(home.object("policy").text("profile")).isEqualTo("full-auto");
    assertThat(home.object("policy").text("decision")).isEqualTo("allow");

    var safe = sandbox.errand("token", "new", "reader").line();
    assertRefused(() -> spawned(safe), ErrorCode.POLICY_DENIED);
  }

  /** The first frame of a task that no rule allows, asked for by TCP. */
  private static JsonFields spawned(String token) throws IOException {
    try (var caller = ErrandClient.connect(URI.create(address()), token, ClientOptions.DEFAULT)) {
      var taskId = caller.spawn(NewTask.shell("echo one | cat"));
      assertThat(caller.waitEnd(taskId, Sandbox.PATIENCE).exitCode()).isZero();
      return Recording.frames(caller, taskId).getFirst().fields();
    }
  }

  private static String address() {
    return "http://" + ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(ErrandException.class, it -> assertThat(it.code()).isEqualTo(code));
  }

  @Test
  void who_is_refused_is_in_the_log_and_what_he_showed_is_not() throws Exception {
    var foreign = "http://evil.example";
    assertThat(status(get("/tasks?session_id=unshown"))).isEqualTo(401);
    assertThat(status(get("/version").header("Authorization", "Bearer guessed-it"))).isEqualTo(401);
    assertThat(status(get("/sessions").header("Origin", foreign))).isEqualTo(403);

    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() ->
            assertThat(Files.readString(sandbox.home().daemonLog()))
                .contains("refused: tcp GET /tasks -> 401")
                .contains("refused: tcp GET /version -> 401")
                .contains("refused: tcp GET /sessions -> 403")
                .doesNotContain("unshown", "guessed-it", foreign));
  }

  private static HttpRequest.Builder get(String target) {
    return HttpRequest.newBuilder(URI.create(address() + target));
  }

  private static int status(HttpRequest.Builder request) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }
}
