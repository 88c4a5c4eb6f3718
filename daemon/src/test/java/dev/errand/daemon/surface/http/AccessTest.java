package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.verb.Access;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Every described route that names something, called by those to whom it does not belong. A route
 * that is added is called here too.
 */
final class AccessTest {
  private static final String MISSING_TASK = "0198c000-0000-7000-8000-00000000ffff";

  /** Each names a session, a task or a tool by what is in its body, or waits for its own end. */
  private static final Set<String> OF_ANYBODY = Set.of("/tools/{name}");

  @TempDir Path folder;
  private Surface surface;
  private TaskId taskId;
  private String digest;

  @BeforeEach
  void start_with_something_of_the_owner() throws IOException {
    surface = Surface.start(folder);
    taskId =
        surface.spawn(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"session_id\":\"own\","
                + "\"batch_id\":\"night\"}");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "secret\n");
    surface.post("/tokens", "{\"name\":\"own\"}");
    digest =
        json(surface.call("PUT", "/artifacts", Map.of(), "content"))
            .path("artifact_id")
            .stringValue("");
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  /** One operation of {@code /openapi.json} whose path names something. */
  private record Operation(String method, String path) {}

  private List<Operation> naming() throws IOException {
    var all = new ArrayList<Operation>();
    for (var path : json(surface.get("/openapi.json")).path("paths").properties()) {
      if (path.getKey().contains("{") && !OF_ANYBODY.contains(path.getKey())) {
        for (var operation : path.getValue().properties()) {
          all.add(new Operation(operation.getKey().toUpperCase(Locale.ROOT), path.getKey()));
        }
      }
    }
    return all;
  }

  @Test
  void for_a_bound_token_what_is_not_its_own_looks_as_if_it_were_not_there() throws IOException {
    var bound = Map.of("Authorization", "Bearer " + token("bound", Profile.FULL_AUTO, "elsewhere"));
    var operations = naming();

    assertThat(operations).hasSizeGreaterThan(20);
    for (var it : operations) {
      var foreign = surface.tcpCall(it.method(), target(it.path(), true), bound, body(it));
      var missing = surface.tcpCall(it.method(), target(it.path(), false), bound, body(it));
      assertThat(foreign.status()).as("%s", it).isIn(403, 404);
      assertThat(foreign.status()).as("%s, by a name that is free", it).isEqualTo(missing.status());
    }
  }

  @Test
  void no_form_of_an_inbox_is_for_a_token_of_another_session() throws IOException {
    var bound = token("bound", Profile.FULL_AUTO, "elsewhere");
    for (var form : List.of("application/json", "text/plain", "text/event-stream")) {
      var headers = Map.of("Authorization", "Bearer " + bound, "Accept", form);
      var target = "/sessions/own/inbox?follow=false";
      assertThat(surface.tcpCall("GET", target, headers).status()).as(form).isEqualTo(404);
    }
  }

  @Test
  void the_daemon_is_for_its_owner_only() throws IOException {
    var callers =
        List.of(token("safe", Profile.SAFE, null), token("bound", Profile.FULL_AUTO, "elsewhere"));
    for (var caller : callers) {
      var headers = Map.of("Authorization", "Bearer " + caller);
      for (var path : List.of("shutdown", "gc", "reload", "processes/end")) {
        var answer = surface.tcpCall("POST", "/admin/" + path, headers, "{\"pid\":4711}");
        assertThat(answer.status()).as(path).isEqualTo(403);
      }
      for (var path : List.of("config", "processes")) {
        assertThat(surface.tcpCall("GET", "/admin/" + path, headers).status()).isEqualTo(403);
      }
    }
    assertThat(surface.admin).isEmpty();
    assertThat(
            surface
                .tcpCall("GET", "/metrics", Map.of("Authorization", "Bearer " + callers.getLast()))
                .status())
        .isEqualTo(403);
  }

  @Test
  void a_caller_of_a_lower_profile_changes_nothing_of_the_owner() throws IOException {
    var safe = Map.of("Authorization", "Bearer " + token("safe", Profile.SAFE, null));
    for (var it : naming()) {
      if (!Set.of("GET", "HEAD").contains(it.method()) && !it.path().endsWith("/wait")) {
        var answer = surface.tcpCall(it.method(), target(it.path(), true), safe, body(it));
        assertThat(answer.status()).as("%s: %s", it, answer.text()).isIn(403, 404);
      }
    }
  }

  @Test
  void a_route_that_names_something_cannot_be_made_without_saying_whose_that_is() {
    Route.Answer answer = _ -> Reply.json(200, JsonNodeFactory.instance.objectNode());
    assertThatThrownBy(() -> Route.of(new Access.Common(), "GET", "/threads/{id}", answer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("threads");
  }

  private String token(String name, Profile profile, @Nullable String session) {
    var bound = session == null ? null : new SessionId(session);
    return surface
        .tokens
        .mint(new Tokens.Manager.Owner("cli"), new Tokens.NewToken(name, profile, bound))
        .token();
  }

  /** Waits are short, should one be let in. */
  private static String body(Operation operation) {
    return operation.path().endsWith("/wait") ? "{\"timeout_ms\":1}" : "";
  }

  private String target(String path, boolean there) {
    var task = there ? taskId.value() : MISSING_TASK;
    return path.replace("{log_id}", task + ".stdout")
        .replace("{sha256}", there ? digest : "0".repeat(64))
        .replace("{name}", there ? "own" : "none")
        .replace(
            "{id}",
            switch (path.split("/", 3)[1]) {
              case "sessions" -> there ? "own" : "none";
              case "batches" -> there ? "night" : "none";
              default -> task;
            });
  }
}
