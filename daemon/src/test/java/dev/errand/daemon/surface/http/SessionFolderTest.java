package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.StreamKey;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.CwdFrom;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.verb.AcceptedTask;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.verb.SpawnTask;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where tasks run that name no folder: in that of their session, else in the home of the user. */
final class SessionFolderTest {
  private static final String ROOTS =
      """
      [policy]
      profile = "full-auto"
      roots = ["~"]
      [tools.built]
      argv = ["./build"]
      description = "Builds."
      [[policy.rule]]
      match = "make"
      decision = "allow"
      """;

  @TempDir Path folder;
  @TempDir Path elsewhere;
  private Path home;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    home = folder.toRealPath();
    surface = Surface.start(home, ROOTS);
    Files.createDirectory(home.resolve("app"));
    Files.createDirectory(home.resolve("other"));
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void the_first_task_that_names_a_folder_sets_that_of_its_session() throws IOException {
    assertThat(cwd(spawn("a", null))).isEqualTo(home);
    assertThat(shownFolder("a")).isNull();
    assertThat(cwd(spawn("a", home.resolve("app").toString()))).isEqualTo(home.resolve("app"));
    assertThat(cwd(spawn("a", null))).isEqualTo(home.resolve("app"));
    assertThat(cwd(spawn("a", "other"))).isEqualTo(home.resolve("other"));
    assertThat(cwd(spawn("a", null))).isEqualTo(home.resolve("app"));

    assertThat(shownFolder("a")).isEqualTo(home.resolve("app").toString());
    assertThat(cwd(spawn("b", null))).isEqualTo(home);
    assertThat(frames("a")).containsOnlyOnce("\"type\":\"session_folder_set\"");
    assertThat(frames("a")).contains("\"folder\":\"" + home.resolve("app") + "\",\"by\":\"cli\"");
  }

  @Test
  void a_relative_folder_is_meant_from_the_home_also_where_the_session_has_one()
      throws IOException {
    spawn("a", "app");

    assertThat(shownFolder("a")).isEqualTo(home.resolve("app").toString());
    assertThat(cwd(spawn("a", "other"))).isEqualTo(home.resolve("other"));
  }

  @Test
  void a_folder_that_is_gone_is_refused_by_name_until_another_is_named() throws IOException {
    spawn("a", "app");
    Files.delete(home.resolve("app"));

    var refused = surface.post("/tasks", body("a", null));
    assertThat(code(refused)).isEqualTo("INVALID_REQUEST");
    assertThat(json(refused).path("detail").stringValue(""))
        .startsWith("the folder of session a, " + home.resolve("app") + ", is gone; name a cwd");

    assertThat(cwd(spawn("a", "other"))).isEqualTo(home.resolve("other"));
    assertThat(cwd(spawn("a", null))).isEqualTo(home.resolve("other"));
    assertThat(shownFolder("a")).isEqualTo(home.resolve("other").toString());
  }

  @Test
  void a_folder_that_leads_out_of_the_roots_by_now_is_denied() throws IOException {
    spawn("a", "app");
    Files.delete(home.resolve("app"));
    Files.createSymbolicLink(home.resolve("app"), elsewhere);

    assertThat(code(surface.post("/tasks", body("a", null)))).isEqualTo("POLICY_DENIED");
  }

  @Test
  void a_task_that_is_refused_sets_no_folder() throws IOException {
    var outside = surface.post("/tasks", body("a", elsewhere.toString()));
    assertThat(code(outside)).isEqualTo("POLICY_DENIED");
    spawn("a", null);

    assertThat(shownFolder("a")).isNull();
  }

  @Test
  void a_declared_tool_stays_where_its_settings_have_it() throws Exception {
    spawn("a", "app");

    var task = accepted("{\"tool\":\"built\",\"args\":{},\"session_id\":\"a\"}");

    assertThat(cwd(task.id())).isEqualTo(home);
    assertThat(task.cwdFrom()).isEqualTo(CwdFrom.TOOL);
  }

  @Test
  void the_folder_of_the_caller_goes_before_that_of_the_session() throws IOException {
    spawn("a", "app");
    var other = home.resolve("other");

    var started =
        shell("?session_id=a&cwd=" + other, "{\"command\":\"make\",\"action\":\"spawn\"}");
    var named =
        shell(
            "?session_id=a&cwd=" + other,
            "{\"command\":\"make\",\"action\":\"spawn\",\"cwd\":\"app\"}");

    assertThat(cwd(started)).isEqualTo(other);
    assertThat(cwd(named)).isEqualTo(home.resolve("app"));
    assertThat(shownFolder("a")).isEqualTo(home.resolve("app").toString());
    var wrong = surface.post("/tools/shell?cwd=app", "{\"command\":\"make\"}");
    assertThat(json(wrong).path("detail").stringValue("")).contains("absolute path");
  }

  private TaskId shell(String query, String body) throws IOException {
    var answer = json(surface.post("/tools/shell" + query, body)).path("structured");
    return new TaskId(answer.path("run_id").stringValue(""));
  }

  @Test
  void an_accepted_task_says_what_decided_on_its_folder() throws Exception {
    assertThat(accepted(body("a", null)).cwdFrom()).isEqualTo(CwdFrom.HOME);
    assertThat(accepted(body("a", "app")).cwdFrom()).isEqualTo(CwdFrom.CALLER);
    assertThat(accepted(body("a", null)).cwdFrom()).isEqualTo(CwdFrom.SESSION);
  }

  @Test
  void a_repeat_says_the_same_of_the_folder() throws Exception {
    for (var cwd : Arrays.asList(null, "app", null)) {
      var key = "k" + surface.journal.lastSeq(StreamKey.of(new SessionId("a"))) + cwd;
      var first = accepted(body("a", cwd), new Ask.Key("spawn", key, null));
      var again = accepted(body("a", cwd), new Ask.Key("spawn", key, null));

      assertThat(again.id()).isEqualTo(first.id());
      assertThat(again.cwdFrom()).isEqualTo(first.cwdFrom());
    }
  }

  @Test
  void a_caller_that_may_not_see_a_session_is_not_told_its_folder() throws IOException {
    spawn("b", "app");
    Files.delete(home.resolve("app"));
    var bound = new Tokens.NewToken("t", Profile.FULL_AUTO, new SessionId("a"));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), bound).token();
    var headers = Map.of("Authorization", "Bearer " + token);

    var refused = surface.tcpCall("POST", "/tasks", headers, body("b", null));

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).doesNotContain("app");
  }

  @Test
  void only_the_owner_and_the_session_itself_set_its_folder() throws IOException {
    var wanted = new Tokens.NewToken("mine", Profile.SAFE, null);
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    var headers = Map.of("Authorization", "Bearer " + token);

    for (var session : List.of("cli", "mine")) {
      var answer = surface.tcpCall("POST", "/tasks", headers, body(session, "app"));
      assertThat(answer.status()).isEqualTo(201);
    }

    assertThat(shownFolder("cli")).isNull();
    assertThat(shownFolder("mine")).isEqualTo(home.resolve("app").toString());
  }

  private AcceptedTask accepted(String body) throws InterruptedException {
    return accepted(body, null);
  }

  private AcceptedTask accepted(String body, Ask.@Nullable Key key) throws InterruptedException {
    var request =
        new SpawnTask.Request(
            Json.read(body.getBytes(StandardCharsets.UTF_8)), new SessionId("cli"), null);
    var owner = Ask.of(Caller.PERSON, key, new WaitSlots(1), _ -> {});
    return surface.verbs.tasks().spawn().run(owner, request);
  }

  private TaskId spawn(String session, @Nullable String cwd) throws IOException {
    return surface.spawn(body(session, cwd));
  }

  private static String body(String session, @Nullable String cwd) {
    var more = cwd == null ? "" : ",\"cwd\":\"" + cwd + "\"";
    return "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"%s},\"session_id\":\"%s\"}"
        .formatted(more, session);
  }

  private Path cwd(TaskId taskId) throws IOException {
    return Path.of(json(surface.get("/tasks/" + taskId)).path("cwd").stringValue(""));
  }

  private @Nullable String shownFolder(String session) throws IOException {
    var shown = json(surface.get("/sessions/" + session)).path("folder");
    return shown.isNull() ? null : shown.stringValue();
  }

  private String frames(String session) throws IOException {
    return surface.get("/events?follow=false&session_id=" + session).text();
  }
}
