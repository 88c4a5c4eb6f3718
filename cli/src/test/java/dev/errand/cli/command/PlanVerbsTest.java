package dev.errand.cli.command;

import static dev.errand.cli.command.CliFixture.ID;
import static dev.errand.cli.command.CliFixture.NOW_MS;
import static dev.errand.cli.command.CliFixture.status;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lanes, dependencies, sessions and batches from the command line. */
final class PlanVerbsTest extends CliCase {
  private static final String BATCH =
      "{'batch_id':'night','session_id':'cli','status':'%s','total':1,'counts':{'exited':1},"
          + "'tasks':[%s]%s}";

  @BeforeEach
  void answer() {
    cli.daemon.on("POST /tasks", "{'task_id':'" + ID + "'}");
  }

  @Test
  void spawn_sends_how_the_task_is_fitted_in_and_what_is_noticed_of_it() {
    cli.daemon.on("GET /tasks?label=build", "[" + status(ID, "running", "") + "]");

    assertThat(
            cli.run(
                "spawn",
                "--lane",
                "dev",
                "--priority",
                "high",
                "--after",
                ID,
                "--after-any",
                "build",
                "--delay",
                "90s",
                "--batch",
                "night",
                "--notify",
                "silent",
                "--service",
                "--watch",
                "err=E=[0-9]+",
                "--ready-when",
                "port:8080",
                "--",
                "make"))
        .isZero();

    assertThat(cli.sent("POST /tasks"))
        .contains(
            "\"lane\":\"dev\"",
            "\"priority\":\"high\"",
            "\"after\":[\"" + ID + "\"]",
            "\"after_any\":[\"" + ID + "\"]",
            "\"delay_ms\":90000",
            "\"batch_id\":\"night\"",
            "\"notify\":\"silent\"",
            "\"service\":true",
            "\"watch\":[{\"event\":\"err\",\"regex\":\"E=[0-9]+\"}]",
            "\"ready_when\":{\"port\":8080}");
  }

  @Test
  void ready_when_takes_each_kind_of_condition() {
    assertThat(ready("text:listening on")).contains("{\"regex\":\"listening on\"}");
    assertThat(ready("http://localhost:1/ok")).contains("{\"http\":\"http://localhost:1/ok\"}");
    assertThat(ready("file:out/done")).contains("{\"file\":\"out/done\"}");
    assertThat(ready("silence:2s")).contains("{\"silence_ms\":2000}");
    assertThat(ready("prompt")).contains("{\"prompt\":true}");
    assertThat(cli.run("spawn", "--ready-when", "port:0", "--", "x")).isEqualTo(2);
    assertThat(cli.run("spawn", "--watch", "=x", "--", "x")).isEqualTo(2);
  }

  private String ready(String condition) {
    assertThat(cli.run("spawn", "--ready-when", condition, "--", "x")).isZero();
    return cli.sent("POST /tasks");
  }

  @Test
  void a_list_says_what_a_queued_task_waits_for() {
    cli.daemon.on(
        "GET /tasks?",
        "[" + status(ID, "queued", ",'queue':{'position':2,'reason':'session_quota'}") + "]");

    assertThat(cli.run("ls")).isZero();

    assertThat(cli.out()).contains("waits: session quota #2");
  }

  @Test
  void sessions_are_listed_shown_and_ended() {
    var session =
        "{'session_id':'a','tasks':{'queued':1,'running':2,'ended':3},'last_activity_at_ms':%d,'ended_at_ms':null}"
            .formatted(NOW_MS - 5_000);
    cli.daemon.on("GET /sessions", "[" + session + "]");
    cli.daemon.on("GET /sessions/a", session);
    cli.daemon.on("DELETE /sessions/a", "{}");

    assertThat(cli.run("session", "ls")).isZero();
    assertThat(cli.run("session", "show", "a")).isZero();
    assertThat(cli.run("session", "end", "a")).isZero();
    assertThat(cli.run("session", "end")).isEqualTo(2);

    assertThat(cli.out()).contains("a        1       2        3      5.0s ago  open");
    assertThat(cli.daemon.requests()).anyMatch(it -> it.method().equals("DELETE"));
  }

  @Test
  void a_batch_is_waited_for_and_its_failure_is_an_exit_code() {
    var task = status(ID, "exited", ",'exit_code':3");
    cli.daemon.on("POST /batches/night/wait", BATCH.formatted("error", task, ",'timed_out':false"));
    cli.daemon.on("GET /batches/night?session_id=b", BATCH.formatted("completed", task, ""));
    cli.daemon.on("POST /batches/night/cancel", BATCH.formatted("cancelled", task, ""));

    assertThat(cli.run("batch", "wait", "night", "--any")).isEqualTo(1);
    assertThat(cli.sent("POST /batches/night/wait")).contains("\"mode\":\"any\"");
    assertThat(cli.run("batch", "show", "night", "--session", "b")).isZero();
    assertThat(cli.run("batch", "cancel", "night", "--reason", "late")).isZero();
    assertThat(cli.sent("POST /batches/night/cancel")).contains("late");

    assertThat(cli.out()).contains("night: error, 1 tasks", "night: completed", "make check");
  }

  @Test
  void a_wait_for_a_batch_that_runs_out_exits_with_124() {
    var running = BATCH.formatted("running", status(ID, "running", ""), ",'timed_out':true");
    cli.daemon.on("POST /batches/night/wait", running);

    assertThat(cli.run("batch", "wait", "night", "--timeout", "1ms")).isEqualTo(124);
  }
}
