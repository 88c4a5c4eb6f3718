package dev.errand.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.http.SseText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code errand inbox} and {@code errand webhook}. */
final class InboxVerbsTest extends CliCase {
  @TempDir Path folder;

  @Test
  void the_inbox_is_printed_as_text_that_commands_no_terminal() {
    notices("cli", "{'id':'n1','text':'Background task done.\\nSummary: \\u001b[2Jok'}");

    assertThat(cli.run("inbox")).isZero();
    assertThat(cli.out()).isEqualTo("Background task done.\nSummary: ^[[2Jok\n\n");
  }

  @Test
  void each_notice_is_acknowledged_once_it_is_printed() {
    notices("build", "{'id':'n1','text':'one'}", "{'id':'n2','text':'two'}");
    cli.daemon.on("POST /sessions/build/inbox/ack", "{'acknowledged':1}");

    assertThat(cli.run("inbox", "--session", "build", "--ack", "--json")).isZero();
    assertThat(cli.out().lines()).hasSize(2);
    assertThat(cli.daemon.requests())
        .filteredOn(it -> it.method().equals("POST"))
        .extracting(FakeDaemon.Request::body)
        .containsExactly("{\"ids\":[\"n1\"]}", "{\"ids\":[\"n2\"]}");
  }

  @Test
  void an_empty_inbox_says_so_and_a_task_sees_its_own_session_s() {
    cli.environment.put("ERRAND_SESSION_ID", "mine");
    notices("mine");

    assertThat(cli.run("inbox")).isZero();
    assertThat(cli.err()).contains("no notices");
  }

  @Test
  void a_webhook_is_set_with_a_secret_that_is_no_word_of_the_command() throws IOException {
    var key = Files.writeString(folder.resolve("key"), "s3cret\n");
    cli.daemon.on(
        "PUT /sessions/cli/webhook", "{'url':'http://127.0.0.1:1/','signed':true,'ack':true}");

    var code =
        cli.run("webhook", "set", "http://127.0.0.1:1/", "--ack", "--secret-file", key.toString());

    assertThat(code).isZero();
    assertThat(cli.out()).isEqualTo("http://127.0.0.1:1/ signed, success acknowledges\n");
    assertThat(cli.daemon.requests().getLast().body())
        .isEqualTo("{\"url\":\"http://127.0.0.1:1/\",\"secret\":\"s3cret\",\"ack\":true}");
  }

  @Test
  void a_webhook_may_ask_for_events() {
    cli.daemon.on(
        "PUT /sessions/cli/webhook",
        "{'url':'http://127.0.0.1:1/','signed':true,'events':['status','output']}");

    assertThat(cli.run("webhook", "set", "http://127.0.0.1:1/", "--events", "status,output"))
        .isZero();
    assertThat(cli.out()).isEqualTo("http://127.0.0.1:1/ signed, with events status,output\n");
    assertThat(cli.daemon.requests().getLast().body())
        .isEqualTo(
            "{\"url\":\"http://127.0.0.1:1/\",\"ack\":false,\"events\":[\"status\",\"output\"]}");
  }

  @Test
  void a_secret_that_the_daemon_made_is_printed() {
    cli.daemon.on(
        "PUT /sessions/cli/webhook", "{'url':'http://127.0.0.1:1/','signed':true,'secret':'made'}");

    assertThat(cli.run("webhook", "set", "http://127.0.0.1:1/")).isZero();
    assertThat(cli.out()).isEqualTo("http://127.0.0.1:1/ signed\nsecret made\n");
    assertThat(cli.err()).contains("not shown again");
  }

  @Test
  void tries_are_a_table() {
    cli.daemon.on(
        "GET /sessions/cli/webhook/tries",
        "[{'notice_id':'n1','try':2,'at_ms':1,'took_ms':3,'outcome':'failed','status':500,"
            + "'error':null},{'notice_id':'n1','try':1,'at_ms':1,'took_ms':3,'outcome':'failed',"
            + "'status':null,'error':'connection refused'}]");

    assertThat(cli.run("webhook", "tries")).isZero();
    assertThat(cli.out()).contains("failed", "500", "connection refused");
  }

  @Test
  void a_webhook_is_shown_and_removed() {
    cli.daemon.on(
        "GET /sessions/cli/webhook", "{'url':'http://127.0.0.1:1/','signed':false,'failing':true}");
    cli.daemon.on("DELETE /sessions/cli/webhook", "{'removed':true}");

    assertThat(cli.run("webhook", "show")).isZero();
    assertThat(cli.out()).startsWith("http://127.0.0.1:1/ not signed, failing");
    assertThat(cli.run("webhook", "rm")).isZero();
    assertThat(cli.out()).endsWith("removed\n");
    assertThat(cli.run("webhook", "set")).isEqualTo(ExitCode.USAGE.number());
  }

  private void notices(String session, String... notices) {
    var text = new StringBuilder();
    for (var i = 0; i < notices.length; i++) {
      var json = notices[i].replace('\'', '"').getBytes(UTF_8);
      text.append(new String(SseText.frame("c" + i, json), UTF_8));
    }
    cli.daemon.on("GET /sessions/" + session + "/inbox", 200, "text/event-stream", text.toString());
  }
}
