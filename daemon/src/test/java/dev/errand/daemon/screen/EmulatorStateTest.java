package dev.errand.daemon.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the cut, a stream that is shown in two parts is shown as it is in one. */
class EmulatorStateTest {
  private static final int ROWS = 7;
  private static final int COLS = 24;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void a_stream_may_be_cut_anywhere(long seed) {
    var random = new Random(seed);
    var stream = stream(random);
    var whole = whole(stream);

    var emulator = new Emulator(ROWS, COLS);
    var at = 0;
    var end = 0;
    while (end < stream.length) {
      end = Math.min(stream.length, end + 1 + random.nextInt(9));
      at = emulator.feed(stream, at, end);
    }

    assertThat(Shown.of(emulator)).isEqualTo(whole);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24, 25, 26, 27, 28})
  void an_emulator_that_was_written_and_read_goes_on_as_before(long seed) throws IOException {
    var random = new Random(seed);
    var stream = stream(random);
    var whole = whole(stream);
    for (var i = 0; i < 40; i++) {
      var cut = random.nextInt(stream.length);
      var first = new Emulator(ROWS, COLS);
      var at = first.feed(stream, 0, cut);

      var second = again(first);
      assertThat(Shown.of(second)).isEqualTo(Shown.of(first));
      second.feed(stream, at, stream.length);

      assertThat(Shown.of(second)).as("cut at %d", cut).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34, 35, 36, 37, 38})
  void a_redrawn_screen_goes_on_as_the_drawn_one(long seed) {
    var random = new Random(seed);
    var stream = stream(random);
    var whole = new Emulator(ROWS, COLS);
    whole.feed(stream, 0, stream.length);
    for (var i = 0; i < 40; i++) {
      var cut = random.nextInt(stream.length);
      var first = new Emulator(ROWS, COLS);
      var at = first.feed(stream, 0, cut);

      var second = new Emulator(ROWS, COLS);
      var redraw = ScreenText.ansi(first.screen(0, 0)).getBytes(StandardCharsets.UTF_8);
      assertThat(second.feed(redraw, 0, redraw.length)).isEqualTo(redraw.length);
      assertThat(Shown.seen(second)).as("drawn at %d", cut).isEqualTo(Shown.seen(first));
      second.feed(stream, at, stream.length);

      assertThat(Shown.seen(second)).as("cut at %d", cut).isEqualTo(Shown.seen(whole));
    }
  }

  private static Shown whole(byte[] stream) {
    var emulator = new Emulator(ROWS, COLS);
    emulator.feed(stream, 0, stream.length);
    return Shown.of(emulator);
  }

  private static Emulator again(Emulator emulator) throws IOException {
    var bytes = new ByteArrayOutputStream();
    emulator.write(new DataOutputStream(bytes));
    return Emulator.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  private static byte[] stream(Random random) {
    return RandomTerminalBytes.of(random, 600);
  }

  /** All that can be told of an emulator. */
  record Shown(String text, String ansi, String history) {
    static Shown of(Emulator emulator) {
      var screen = emulator.screen(0, 0);
      return new Shown(
          ScreenText.json(Recorded.ID, new Screens.View(screen, List.of())).toString(),
          ScreenText.ansi(screen),
          String.join("\n", emulator.history()));
    }

    /** Without what is no longer seen, and what has ever to be missing. */
    static String seen(Emulator emulator) {
      return ScreenText.ansi(emulator.screen(0, 0));
    }
  }
}
