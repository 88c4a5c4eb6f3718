package dev.errand.e2e;

// docs/guides/use-the-sdk.md shows what follows.
import dev.errand.core.task.LogStream;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.home.ErrandHome;
import java.time.Duration;
import java.util.Map;

/** Builds in the background, shows the output as it comes, and says how it ended. */
final class SdkExample {

  private SdkExample() {}

  static int build(Map<String, String> environment) {
    try (var client = ErrandClient.connect(ErrandHome.of(environment))) {
      var wish = NewTask.shell("echo compiling; sleep 1; exit 3").label("build");
      var task = client.spawn(wish.timeout(Duration.ofMinutes(10)), "build-42");

      client.follow(task, -1, (stream, offset, bytes) -> System.out.writeBytes(bytes));

      var status = client.status(task);
      System.out.println(status.status() + " with code " + status.exitCode());
      var tail = client.tail(task, LogStream.STDOUT, 4096);
      System.out.println(tail.bytes().length + " of " + tail.total() + " bytes");
      var code = status.exitCode();
      return code == null ? 1 : code;
    }
  }
}
