package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The guide to the SDK shows a program that compiles and runs. */
final class SdkExampleTest {
  private static final Path SOURCE = Path.of("e2e/src/test/java/dev/errand/e2e/SdkExample.java");
  private static final Path GUIDE = Path.of("docs/guides/use-the-sdk.md");
  private static final String MARK = "shows what follows.\n";

  @Test
  void the_guide_shows_the_example_as_it_is() {
    var source = Checkout.read(Checkout.ROOT.resolve(SOURCE));
    var example = source.substring(source.indexOf(MARK) + MARK.length());

    assertThat(Checkout.read(Checkout.ROOT.resolve(GUIDE))).contains("```java\n" + example + "```");
  }

  @Test
  void the_example_gives_the_exit_code_of_its_build() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.errand("up").succeeded();

      var code = SdkExample.build(Map.of("ERRAND_HOME", sandbox.home().root().toString()));

      assertThat(code).isEqualTo(3);
    }
  }
}
