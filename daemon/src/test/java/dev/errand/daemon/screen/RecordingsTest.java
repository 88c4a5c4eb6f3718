package dev.errand.daemon.screen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.daemon.compute.DirectShare;
import dev.errand.wire.json.Json;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recordings of real programs, made as asciicasts, and the screens with which they ended. They stay
 * as they are: another screen is a mistake, or a change that has to be looked at.
 */
final class RecordingsTest {
  @TempDir Path folder;

  private static String resource(String name) throws Exception {
    try (var in = RecordingsTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no recording " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static Recorded recorded(String name) throws Exception {
    var lines = resource(name + ".cast").lines().toList();
    var header = Json.read(lines.getFirst().getBytes(UTF_8));
    var recorded =
        Recorded.terminal(header.path("height").intValue(), header.path("width").intValue());
    for (var line : lines.subList(1, lines.size())) {
      var event = Json.read(line.getBytes(UTF_8));
      var data = event.get(2).stringValue();
      if (event.get(1).stringValue().equals("r")) {
        var size = data.split("x", 2);
        recorded.resize(Integer.parseInt(size[1]), Integer.parseInt(size[0]));
      } else {
        recorded.output(data.getBytes(UTF_8));
      }
    }
    return recorded;
  }

  private Screens screens(Recorded recorded, String below, long keepEvery) {
    var limits =
        new Screens.Limits(4, Duration.ofMinutes(1), keepEvery, 1 << 30, Duration.ofMinutes(1));
    return new Screens(
        recorded,
        recorded,
        new KeptScreens(folder.resolve(below)),
        limits,
        _ -> Optional.empty(),
        new SystemTime());
  }

  @ParameterizedTest
  @ValueSource(strings = {"vim", "less", "top", "bash", "drawing"})
  void a_recording_ends_with_the_same_screen_for_ever(String name) throws Exception {
    var screens = screens(recorded(name), "a", 1 << 20);

    assertThat(ScreenText.plain(screens.at(DirectShare.INSTANCE, Recorded.ID, null)))
        .isEqualTo(resource(name + ".txt"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"vim", "less", "top", "bash", "drawing"})
  void every_moment_is_the_same_from_the_start_and_from_what_was_kept(String name)
      throws Exception {
    var recorded = recorded(name);
    var last = recorded.lastSeq(Recorded.ID);
    screens(recorded, "kept", 300).at(DirectShare.INSTANCE, Recorded.ID, null);
    var random = new Random(1);
    for (var i = 0; i < 20; i++) {
      var seq = random.nextLong(last + 1);
      assertThat(
              shown(screens(recorded, "kept", 1 << 30).at(DirectShare.INSTANCE, Recorded.ID, seq)))
          .as("at %d", seq)
          .isEqualTo(
              shown(
                  screens(recorded, "none" + i, 1 << 30)
                      .at(DirectShare.INSTANCE, Recorded.ID, seq)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vim", "less", "top", "bash", "drawing"})
  void a_redrawn_screen_goes_on_as_the_recording_does(String name) throws Exception {
    var recorded = recorded(name);
    var screens = screens(recorded, "a", 1 << 30);
    for (var seq = 0L; seq < recorded.lastSeq(Recorded.ID); seq++) {
      var screen = screens.at(DirectShare.INSTANCE, Recorded.ID, seq);
      var emulator = new Emulator(screen.rows(), screen.cols());
      var redraw = ScreenText.ansi(screen).getBytes(UTF_8);
      emulator.feed(redraw, 0, redraw.length);

      assertThat(ScreenText.ansi(emulator.screen(0, 0))).isEqualTo(ScreenText.ansi(screen));
    }
  }

  private static List<String> shown(Screen screen) {
    return List.of(
        ScreenText.json(Recorded.ID, new Screens.View(screen, List.of())).toString(),
        ScreenText.ansi(screen));
  }
}
