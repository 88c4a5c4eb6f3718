package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller with few rights that burns processors holds up nobody but itself. */
@Timeout(180)
@DaemonCase.Settings(
    """
    [http]
    listen = "127.0.0.1:0"
    """)
final class BusyCallersTest extends DaemonCase {
  private static final String SESSION = "guest";
  private static final int LOG_MIB = 16;

  /** What is slow for a pattern that has to look at every place. */
  private static final String SEARCH = "(a%7Cb%7Cab)*c%5B0-9%5D%7B3%7Dx$";

  private final HttpClient http = HttpClient.newHttpClient();

  /** One request of the guest, whose answer comes when it comes. */
  private CompletableFuture<HttpResponse<String>> asGuest(String token, String path, String body) {
    var address = ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    var request =
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .timeout(Duration.ofMinutes(2))
            .header("Authorization", "Bearer " + token);
    var whole = body.isEmpty() ? request : request.POST(HttpRequest.BodyPublishers.ofString(body));
    return http.sendAsync(whole.build(), HttpResponse.BodyHandlers.ofString());
  }

  private TaskId written() {
    var taskId =
        client.spawn(
            NewTask.shell(
                    "yes 'ab abba abab bbaa c12 abc123y' | head -c %d".formatted(LOG_MIB << 20))
                .session(SESSION));
    client.waitEnd(taskId, Sandbox.PATIENCE);
    return taskId;
  }

  private static Map<Integer, Long> counted(List<CompletableFuture<HttpResponse<String>>> asked) {
    return asked.stream()
        .map(it -> it.join().statusCode())
        .collect(Collectors.groupingBy(it -> it, Collectors.counting()));
  }

  @Test
  void searches_waits_and_ports_of_a_guest_do_not_hold_up_the_owner() throws Exception {
    var token = sandbox.errand("token", "new", "guest", "--session", SESSION).line();
    var taskId = written();
    var sleeper = client.spawn(NewTask.shell("exec sleep 600"));
    var asked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (var i = 0; i < 40; i++) {
      asked.add(asGuest(token, "/tasks/" + taskId + "/output?search=" + SEARCH, ""));
    }
    for (var i = 0; i < 15; i++) {
      var until = "{\"until\": {\"text\": \"(a|b|ab)*c[0-9]{3}x\"}, \"timeout_ms\": 3000}";
      asked.add(asGuest(token, "/tasks/" + taskId + "/wait", until));
    }

    for (var i = 0; i < 20; i++) {
      assertThat(client.isHealthy()).isTrue();
      assertThat(client.status(sleeper).status()).isEqualTo("running");
    }
    assertThat(client.cancel(sleeper, null, Sandbox.PATIENCE).status()).isEqualTo("cancelled");

    assertThat(counted(asked)).containsOnlyKeys(200);
  }

  @Test
  void what_is_too_much_of_one_caller_is_refused_with_when_to_come_back() throws Exception {
    var token = sandbox.errand("token", "new", "greedy", "--session", SESSION).line();
    var taskId = written();
    var asked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (var i = 0; i < 120; i++) {
      asked.add(asGuest(token, "/tasks/" + taskId + "/output?search=" + SEARCH, ""));
    }

    assertThat(counted(asked)).containsOnlyKeys(200, 429);
    assertThat(asked)
        .map(CompletableFuture::join)
        .filteredOn(it -> it.statusCode() == 429)
        .allSatisfy(it -> {
          assertThat(it.headers().firstValue("Retry-After")).isPresent();
          assertThat(it.body()).contains("LIMIT_EXCEEDED", "64 searches");
        });
  }
}
