package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The config of the guide, copied as a newcomer would, holds an agent to what it says. */
final class PolicyTest {
  private static final Path GUIDE = Checkout.ROOT.resolve("docs/guides/let-an-agent-run-tasks.md");
  private static final Pattern TOML = Pattern.compile("(?s)```toml\n(.*?)```");

  private Sandbox sandbox;
  private ErrandClient agent;

  @BeforeEach
  void start() throws IOException {
    sandbox = Sandbox.create("");
    var guide = TOML.matcher(Files.readString(GUIDE));
    assertThat(guide.find()).isTrue();
    Files.writeString(
        sandbox.home().config(),
        guide
            .group(1)
            .replace("127.0.0.1:7717", "127.0.0.1:0")
            .replace("~/src", sandbox.folder().toString()));
    sandbox.serve();
    agent = agent();
  }

  private ErrandClient agent() throws IOException {
    var address = ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    var token = Files.readString(sandbox.home().token()).strip();
    return ErrandClient.connect(URI.create("http://" + address), token, ClientOptions.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    agent.close();
    sandbox.close();
  }

  @Test
  void an_agent_runs_what_a_rule_allows_where_it_may_and_nothing_else() throws IOException {
    var ls = agent.spawn(shell("ls ."));
    assertThat(agent.waitEnd(ls, Sandbox.PATIENCE).exitCode()).isEqualTo(0);

    assertRefused(shell("ls . > x"), ErrorCode.POLICY_DENIED, "operators = true");
    assertRefused(shell("npm outdated"), ErrorCode.POLICY_DENIED, "match = 'npm outdated'");
    assertRefused(shell("ls .").cwd("/"), ErrorCode.POLICY_DENIED, "roots");
    var out = Files.createSymbolicLink(sandbox.folder().resolve("out"), Path.of("/"));
    assertRefused(shell("ls .").cwd(out.toString()), ErrorCode.POLICY_DENIED, "roots");

    try (var events = sandbox.client().allHistory(null)) {
      var rejected = 0;
      for (var frame = events.next(); frame != null; frame = events.next()) {
        rejected += frame.type().equals("tool_task_rejected") ? 1 : 0;
      }
      assertThat(rejected).isEqualTo(4);
    }
  }

  @Test
  void a_folder_that_leads_elsewhere_when_its_task_is_due_is_not_entered() throws Exception {
    var folder = Files.createDirectory(sandbox.folder().resolve("swap"));
    try (var client = sandbox.client()) {
      var gate = client.spawn(shell("sleep 60"));
      var waits = agent.spawn(shell("ls .").cwd(folder.toString()).afterAny(List.of(gate)));

      Files.delete(folder);
      Files.createSymbolicLink(folder, Path.of("/"));
      client.cancel(gate, "it has waited long enough", Sandbox.PATIENCE);

      var end = agent.waitEnd(waits, Sandbox.PATIENCE);
      assertThat(end.reason()).isEqualTo("bad_cwd");
      assertThat(end.message()).contains("leads elsewhere");
    }
  }

  @Test
  void a_held_task_whose_folder_leads_elsewhere_by_then_cannot_be_approved() throws Exception {
    var folder = Files.createDirectory(sandbox.folder().resolve("held"));
    var held = agent.spawn(shell("git push").cwd(folder.toString()).justification("a release"));
    Files.delete(folder);
    Files.createSymbolicLink(folder, Path.of("/"));

    var refused = sandbox.errand("approve", held.value());

    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("leads elsewhere by now");
    try (var client = sandbox.client()) {
      assertThat(client.status(held).isHeld()).isTrue();
    }
  }

  @Test
  void a_held_task_waits_over_a_crash_until_a_person_approves() throws Exception {
    assertRefused(shell("git push"), ErrorCode.JUSTIFICATION_REQUIRED, "why");
    var taskId = agent.spawn(shell("git push").justification("release 1.4 is tested"));
    assertThatThrownBy(() -> agent.approve(taskId))
        .isInstanceOfSatisfying(
            ErrandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN));

    sandbox.killDaemon();
    sandbox.serve();

    assertThat(sandbox.errand("ls", "--active").line()).contains("waits for approval");
    assertThat(sandbox.errand("status", taskId.value()).line())
        .contains("policy.rule 4 (publish) asks")
        .contains("release 1.4 is tested");
    sandbox.errand("approve", taskId.value()).succeeded();
    try (var client = sandbox.client()) {
      var end = client.waitEnd(taskId, Sandbox.PATIENCE);
      assertThat(end.status()).as("there is nowhere to push to").isEqualTo("exited");
    }
  }

  @Test
  void a_task_of_an_agent_can_ask_the_socket_for_no_more_than_the_agent() throws IOException {
    var wish = "{\"tool\":\"bash\",\"args\":{\"command\":\"touch ran\"}}";
    var ask = Ask.line(sandbox.home().socket(), "POST", "/tasks", wish);
    Files.writeString(sandbox.folder().resolve("ask.sh"), ask + "\n");
    Files.writeString(sandbox.folder().resolve("Makefile"), "test:\n\t@sh ask.sh\n");

    var taskId = agent.spawn(shell("make test"));

    agent.waitEnd(taskId, Sandbox.PATIENCE);
    var said = agent.output(taskId, LogStream.STDOUT, 0, 1 << 16).bytes();
    assertThat(new String(said, StandardCharsets.UTF_8)).contains("403", "POLICY_DENIED");
  }

  @Test
  void a_denied_task_never_runs_and_says_who_refused() throws Exception {
    var taskId = agent.spawn(shell("git push; touch ran").justification("why not"));

    sandbox.errand("deny", taskId.value(), "--reason", "not on a friday").succeeded();

    var end = agent.waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(end.error()).isEqualTo("denied");
    assertThat(end.message()).isEqualTo("not on a friday");
    assertThat(end.by()).isEqualTo("cli");
    assertThat(sandbox.folder().resolve("ran")).doesNotExist();
  }

  @Test
  void run_tells_a_person_that_the_task_waits_for_him() throws Exception {
    var err = sandbox.folder().resolve("err");
    var out = sandbox.folder().resolve("got");
    var run =
        sandbox
            .builder("run", "--why", "to see", "-n", "asked", "-c", "echo git push")
            .redirectError(err.toFile())
            .redirectOutput(out.toFile())
            .start();
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> Files.readString(err).contains("waits for approval"));

    sandbox.errand("approve", "asked").succeeded();

    assertThat(run.waitFor(Sandbox.PATIENCE)).isTrue();
    assertThat(run.exitValue()).isZero();
    assertThat(Files.readString(out)).isEqualTo("git push\n");
  }

  private NewTask shell(String line) {
    return NewTask.shell(line).cwd(sandbox.folder().toString());
  }

  private void assertRefused(NewTask task, ErrorCode code, String words) {
    assertThatThrownBy(() -> agent.spawn(task))
        .hasMessageContaining(words)
        .isInstanceOfSatisfying(ErrandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
