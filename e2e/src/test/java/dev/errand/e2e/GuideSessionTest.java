package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The session with the tool {@code shell} that the guide shows is what an agent sees. */
@Timeout(120)
final class GuideSessionTest {
  private static final String TOOL = "errand tool shell ";
  private static final Pattern BRIEF_ID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}");

  @Test
  void spawn_poll_react_and_kill_go_as_the_guide_says() throws Exception {
    var guide = Checkout.read(Checkout.ROOT.resolve("docs/guides/wait-and-react.md"));
    var steps =
        Session.of(guide).steps().stream().filter(it -> it.typed().startsWith(TOOL)).toList();
    assertThat(steps).hasSize(4);

    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      var shownId = id(steps.getFirst().printed());
      var spawned = called(sandbox, steps.getFirst().typed());
      var actualId = id(spawned);
      assertThat(masked(spawned)).isEqualTo(masked(steps.getFirst().printed()));
      for (var step : steps.subList(1, steps.size())) {
        var typed = step.typed().replace(shownId, actualId);
        if (!typed.contains("poll")) {
          assertThat(masked(called(sandbox, typed))).isEqualTo(masked(step.printed()));
          continue;
        }
        await()
            .atMost(Sandbox.PATIENCE)
            .untilAsserted(
                () -> assertThat(masked(called(sandbox, typed))).isEqualTo(masked(step.printed())));
      }
    }
  }

  private static String called(Sandbox sandbox, String typed) throws Exception {
    var arguments = typed.substring(TOOL.length() + 1, typed.length() - 1);
    return sandbox.errand("tool", "shell", arguments).succeeded().out();
  }

  private static String id(String text) {
    var matcher = BRIEF_ID.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group();
  }

  /** Without ids and the numbers of frames, which depend on how output is cut. */
  private static String masked(String text) {
    return BRIEF_ID
        .matcher(text)
        .replaceAll("ID")
        .replaceAll("since_seq: \\d+", "since_seq: N")
        .strip();
  }
}
