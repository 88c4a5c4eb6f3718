package dev.errand.daemon.task;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.engine.EngineFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AttentionCheckTest {
  @TempDir private Path folder;

  private final AttentionCheck free = new AttentionCheck(Roots.of(List.of(), Path.of("/")));

  private static TaskSpec watching(WatchCondition condition) {
    var watchers = List.of(new Watcher("seen", condition, false));
    return EngineFixture.spec()
        .attending(new WatchSpec(WatchSpec.Notify.DONE_ONLY, watchers, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "a{1000}{1000}", "(?<=a)b", "(a{30}){40}"})
  void a_pattern_that_cannot_be_used_is_refused_with_its_field(String pattern) {
    assertThatThrownBy(() -> free.check(watching(new WatchCondition.Regex(pattern, null))))
        .isInstanceOf(ErrandException.class)
        .hasMessageStartingWith("watch[0].regex");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.org/",
        "https://localhost/",
        "http://localhost@example.org/",
        "http://127.0.0.1.example.org/",
        "http://0.0.0.0/",
        "file:///etc/passwd",
        "localhost:80",
        "http://me:secret@localhost/",
        "http://localhost:99999/",
        "http://127.0.0.999/",
        "no address"
      })
  void an_address_that_is_not_of_this_machine_is_refused(String url) {
    assertThatThrownBy(() -> free.check(watching(new WatchCondition.Http(url))))
        .hasMessageStartingWith("watch[0].http must be an http:// address of this machine");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://localhost:8080/a?b=c", "http://127.0.0.1/", "http://[::1]:80/health"})
  void an_address_of_this_machine_is_accepted(String url) {
    assertThatCode(() -> free.check(watching(new WatchCondition.Http(url))))
        .doesNotThrowAnyException();
  }

  @Test
  void a_prompt_needs_a_terminal() {
    assertThatThrownBy(() -> free.check(watching(new WatchCondition.Prompt())))
        .hasMessageContaining("watch[0].prompt requires a terminal");
  }

  @Test
  void where_roots_are_set_a_file_lies_in_them_also_behind_links() throws IOException {
    var root = Files.createDirectory(folder.resolve("root"));
    Files.createSymbolicLink(root.resolve("out"), Path.of("/etc"));
    var check = new AttentionCheck(Roots.of(List.of(root.toString()), Path.of("/")));
    var cwd = root.toString();

    assertThatCode(() -> check.check(watching(file("made/later/pid")).in(cwd)))
        .doesNotThrowAnyException();
    for (var outside : List.of("/etc/passwd", "../x", "out/passwd", "a/../../x")) {
      assertThatThrownBy(() -> check.check(watching(file(outside)).in(cwd)))
          .as(outside)
          .hasMessageContaining("must lie below");
    }
  }

  private static WatchCondition file(String path) {
    return new WatchCondition.File(path);
  }
}
