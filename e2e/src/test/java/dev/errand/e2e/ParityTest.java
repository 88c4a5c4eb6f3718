package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import java.net.URI;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every verb on every surface does the same. A new surface is one {@link SurfaceAdapter} more, a
 * new verb one row of {@link ParityVerb}; what a surface does not have, its adapter names with the
 * reason.
 */
@Timeout(120)
@DaemonCase.Settings(
    """
    [http]
    listen = "127.0.0.1:0"

    [policy]
    profile = "safe"

    [[policy.rule]]
    tool = "bash"
    match = "^echo held"
    decision = "ask"
    """)
final class ParityTest extends DaemonCase {
  private static final Map<String, SurfaceAdapter> SURFACES = new LinkedHashMap<>();

  private static ErrandClient guest;

  @BeforeAll
  static void reach_every_surface() throws Exception {
    var address = ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    var token = Files.readString(sandbox.home().token()).strip();
    guest = ErrandClient.connect(URI.create("http://" + address), token, ClientOptions.DEFAULT);
    var owner = sandbox.errand("token", "new", "table", "--profile", "full-auto").line();
    SURFACES.put("http", new HttpAdapter(String.valueOf(address), owner));
    SURFACES.put("sdk", new SdkAdapter(client));
    SURFACES.put("cli", new CliAdapter(sandbox));
    SURFACES.put("tools", new ToolsAdapter(client));
  }

  @AfterAll
  static void leave_every_surface() {
    SURFACES.values().forEach(SurfaceAdapter::close);
    SURFACES.clear();
    guest.close();
  }

  static Stream<Arguments> cells() {
    return Stream.of(ParityVerb.values())
        .flatMap(verb -> SURFACES.keySet().stream().map(name -> Arguments.of(verb, name)));
  }

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("cells")
  void a_verb_does_the_same_on_every_surface(ParityVerb verb, String surface) throws Exception {
    var adapter = SURFACES.get(surface);
    var given = new ParityVerb.Given(client, guest);
    var gap = adapter.gaps().get(verb);
    if (gap == null) {
      verb.check(adapter, given);
    } else {
      assertThat(gap).as("the reason").isNotBlank();
      assertThatThrownBy(() -> verb.check(adapter, given)).isInstanceOf(SurfaceAdapter.Gap.class);
    }
  }
}
