package dev.errand.host.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a stream of bytes is cut into ranges. */
final class OutputTallyTest {
  private final List<Range> ranges = new ArrayList<>();
  private final ByteArrayOutputStream stream = new ByteArrayOutputStream();
  private final OutputTally tally = new OutputTally(0, 1 << 20, this::take);

  private record Range(long offset, long bytes, int crc32c) {}

  private void take(long offset, long bytes, int crc32c) {
    ranges.add(new Range(offset, bytes, crc32c));
  }

  @Test
  void the_start_of_a_character_waits_for_its_rest() {
    add("a€".getBytes(UTF_8), 0, 3);
    tally.cut();
    assertThat(ranges).extracting(Range::bytes).containsExactly(1L);

    add("a€".getBytes(UTF_8), 3, 4);
    tally.cut();
    assertTiles();
  }

  @Test
  void bytes_that_cannot_become_a_character_do_not_wait() {
    add(new byte[] {'a', (byte) 0xc0}, 0, 2);
    add(new byte[] {(byte) 0xe0, (byte) 0x80}, 0, 2);
    add(new byte[] {(byte) 0xed, (byte) 0xa0}, 0, 2);
    add(new byte[] {(byte) 0xf5}, 0, 1);
    add(new byte[] {(byte) 0x80}, 0, 1);

    assertThat(tally.hasHeld()).isFalse();
  }

  @Test
  void in_a_flood_ranges_are_longer_and_behind_it_short_again() {
    var piece = new byte[256 << 10];
    tally.flood(true);
    for (var i = 0; i < 3; i++) {
      add(piece, 0, piece.length);
    }
    assertThat(ranges).isEmpty();

    tally.flood(false);
    add(piece, 0, 100 << 10);
    tally.cutAll();

    assertThat(ranges)
        .extracting(Range::bytes)
        .containsExactly(3L * piece.length, (long) OutputTally.RANGE_BYTES_MAX, 36L << 10);
    assertTiles(OutputTally.FLOOD_RANGE_BYTES_MAX);
  }

  @Test
  void past_the_head_a_range_may_be_long() {
    var long1 = new byte[1 << 20];
    add(long1, 0, long1.length);
    add(long1, 0, long1.length);
    tally.cutAll();

    assertThat(ranges.getLast().bytes()).isEqualTo(1 << 20);
    assertTiles();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void any_bytes_in_any_pieces_are_tiled(long seed) {
    var random = new Random(seed);
    for (var i = 0; i < 200; i++) {
      var piece = seed % 2 == 0 ? text(random) : noise(random);
      var at = 0;
      while (at < piece.length) {
        var end = Math.min(piece.length, at + 1 + random.nextInt(20_000));
        add(piece, at, end);
        at = end;
      }
      if (random.nextInt(4) == 0) {
        tally.cut();
      }
    }
    tally.cutAll();

    assertTiles();
  }

  private static byte[] text(Random random) {
    var text = new StringBuilder();
    for (var i = random.nextInt(30_000); i > 0; i--) {
      text.appendCodePoint(List.of(0x41, 0xe9, 0x20ac, 0x1f600).get(random.nextInt(4)));
    }
    return text.toString().getBytes(UTF_8);
  }

  private static byte[] noise(Random random) {
    var bytes = new byte[random.nextInt(60_000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private void add(byte[] bytes, int from, int to) {
    stream.write(bytes, from, to - from);
    tally.add(ByteBuffer.wrap(bytes, from, to - from));
  }

  private void assertTiles() {
    assertTiles(OutputTally.RANGE_BYTES_MAX);
  }

  private void assertTiles(long headBytesMax) {
    var all = stream.toByteArray();
    var next = 0L;
    for (var range : ranges) {
      assertThat(range.offset()).isEqualTo(next);
      next += range.bytes();
      if (range.offset() < 1 << 20) {
        assertThat(range.bytes()).isBetween(1L, headBytesMax);
      }
      var crc = new CRC32C();
      crc.update(Arrays.copyOfRange(all, (int) range.offset(), (int) next));
      assertThat(range.crc32c()).isEqualTo((int) crc.getValue());
    }
    assertThat(next).isEqualTo(all.length);
  }
}
