package dev.errand.daemon.screen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.PendingOutput;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScreensTest {
  private static final Time CLOCK = new SystemTime();
  private static final Screens.Limits ROOMY = Screens.Limits.DEFAULTS;

  private @TempDir Path folder;

  private Screens screens(Recorded recorded, Screens.Limits limits) {
    return new Screens(
        recorded, recorded, new KeptScreens(folder), limits, _ -> Optional.empty(), CLOCK);
  }

  private static Screens.Limits keepEvery(long bytes) {
    return new Screens.Limits(4, Duration.ofMinutes(1), bytes, 1 << 30, Duration.ofMinutes(1));
  }

  @Test
  void a_terminal_that_was_not_written_to_is_empty() throws Exception {
    var screen =
        screens(Recorded.terminal(3, 10), ROOMY).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(screen.grid().lines()).containsExactly("", "", "");
    assertThat(screen.seq()).isZero();
    assertThat(screen.offset()).isZero();
    assertThat(screen.approximate()).isFalse();
  }

  @Test
  void pipes_have_no_screen() throws Exception {
    var screens = screens(Recorded.pipes(), ROOMY);

    assertThatThrownBy(() -> screens.at(DirectShare.INSTANCE, Recorded.ID, null))
        .hasMessageContaining("pipes");
  }

  @Test
  void every_moment_can_be_seen_again() throws Exception {
    var recorded = Recorded.terminal(3, 10);
    var first = recorded.output("one\r\n");
    var second = recorded.output("two\r\n");
    var screens = screens(recorded, ROOMY);

    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, null).grid().lines())
        .containsExactly("one", "two", "");
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, first).grid().lines())
        .containsExactly("one", "", "");
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, first).seq()).isEqualTo(first);
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, 0L).grid().lines())
        .containsExactly("", "", "");
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, second).seq()).isEqualTo(second);
    assertThatThrownBy(() -> screens.at(DirectShare.INSTANCE, Recorded.ID, second + 1))
        .hasMessageContaining("past the end");
  }

  @Test
  void sizes_change_in_the_order_of_the_frames() throws Exception {
    var recorded = Recorded.terminal(2, 10);
    recorded.output("0123456789ab");
    recorded.resize(4, 20);
    recorded.output("\r\n0123456789abcdefghij");
    var screens = screens(recorded, ROOMY);

    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, 1L).cols()).isEqualTo(10);
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, null).grid().lines())
        .containsExactly("0123456789", "ab", "0123456789abcdefghij", "");
  }

  @Test
  void another_attempt_has_a_terminal_of_its_own() throws Exception {
    var recorded = Recorded.terminal(2, 10);
    recorded.output("\\e[?1049h\\e[7mold");
    recorded.resize(5, 50);
    recorded.add(new TaskEvent.Attempted(2, "host-b"));
    recorded.output("new");

    var screen = screens(recorded, ROOMY).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(screen.grid().lines()).containsExactly("new", "");
    assertThat(screen.alternate()).isFalse();
    assertThat(screen.cols()).isEqualTo(10);
  }

  @Test
  void what_is_stored_is_seen_before_a_frame_tells_of_it() throws Exception {
    var recorded = Recorded.terminal(3, 10);
    var first = recorded.output("one\r\n");
    var pending = new AtomicReference<>(PendingOutput.NONE);
    var screens =
        new Screens(
            recorded,
            recorded,
            new KeptScreens(folder),
            keepEvery(1),
            it ->
                Optional.of(
                    new Snapshot(it, new TaskState.Absent(), recorded.lastSeq(it), pending.get())),
            CLOCK);
    pending.set(new PendingOutput(List.of(recorded.store("two\r\n")), 2, 0));

    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, null).grid().lines())
        .containsExactly("one", "two", "");
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, null).seq()).isEqualTo(first);
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, first).grid().lines())
        .containsExactly("one", "", "");

    pending.set(PendingOutput.NONE);
    recorded.tell(10);
    recorded.resize(3, 20);
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, null).grid().lines())
        .containsExactly("one", "two", "");
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, null).cols()).isEqualTo(20);
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, first).grid().lines())
        .containsExactly("one", "", "");
  }

  @Test
  void what_was_rendered_once_is_not_read_again() throws Exception {
    var recorded = Recorded.terminal(3, 10);
    recorded.output("x".repeat(1_000));
    var screens = screens(recorded, ROOMY);
    screens.at(DirectShare.INSTANCE, Recorded.ID, null);
    recorded.bytesRead();

    recorded.output("more");
    screens.at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(recorded.bytesRead()).isEqualTo(4);
  }

  @Test
  void a_character_cut_by_a_frame_is_shown_when_its_rest_is_there() throws Exception {
    var recorded = Recorded.terminal(1, 10);
    var bytes = "漢".getBytes(UTF_8);
    recorded.output(Arrays.copyOf(bytes, 2));
    var screens = screens(recorded, ROOMY);
    var before = screens.at(DirectShare.INSTANCE, Recorded.ID, null);
    assertThat(before.grid().line(0)).isEmpty();
    assertThat(before.offset()).isZero();

    recorded.output(Arrays.copyOfRange(bytes, 2, 3));
    var after = screens.at(DirectShare.INSTANCE, Recorded.ID, null);
    assertThat(after.grid().line(0)).isEqualTo("漢");
    assertThat(after.offset()).isEqualTo(3);
  }

  @Test
  void dropped_output_makes_a_screen_approximate_until_it_is_cleared() throws Exception {
    var recorded = Recorded.terminal(3, 10);
    recorded.output("before");
    var from = recorded.size();
    recorded.output("gone gone gone\\e[");
    recorded.drop(from, recorded.size());
    recorded.output("after");
    var screens = screens(recorded, ROOMY);

    var screen = screens.at(DirectShare.INSTANCE, Recorded.ID, null);
    assertThat(screen.approximate()).isTrue();
    assertThat(screen.grid().line(0)).startsWith("before");

    recorded.output("\\e[H\\e[2Jclean");
    assertThat(screens.at(DirectShare.INSTANCE, Recorded.ID, null).approximate()).isFalse();
  }

  @Test
  void a_sequence_whose_end_was_dropped_is_given_up() throws Exception {
    var recorded = Recorded.terminal(3, 10);
    recorded.output("a\\e[3");
    var from = recorded.size();
    recorded.output("1mgone");
    recorded.drop(from, recorded.size());
    recorded.output("b");

    var screen = screens(recorded, ROOMY).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(screen.grid().line(0)).isEqualTo("ab");
    assertThat(screen.approximate()).isTrue();
  }

  @Test
  void lost_output_is_not_shown() throws Exception {
    var recorded = Recorded.terminal(3, 20);
    recorded.output("before");
    var from = recorded.size();
    recorded.output("zeros");
    recorded.add(new TaskEvent.OutputLost(LogStream.PTY, from, recorded.size()));

    var screen = screens(recorded, ROOMY).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(screen.grid().line(0)).isEqualTo("before");
    assertThat(screen.approximate()).isTrue();
  }

  @Test
  void only_the_end_of_a_long_log_is_rendered() throws Exception {
    var recorded = Recorded.terminal(2, 20);
    for (var i = 0; i < 100; i++) {
      recorded.output("line %06d\r\n".formatted(i).repeat(10));
    }
    recorded.output("end");
    var limits =
        new Screens.Limits(4, Duration.ofMinutes(1), 1 << 20, 2_000, Duration.ofMinutes(1));

    var screen = screens(recorded, limits).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(screen.grid().lines()).containsExactly("line 000099", "end");
    assertThat(screen.approximate()).isTrue();
    assertThat(recorded.bytesRead()).isBetween(1_900L, 2_100L);
  }

  @Test
  void a_screen_that_takes_too_long_says_where_it_got_to() throws Exception {
    var recorded = Recorded.terminal(2, 20);
    recorded.output("x");
    var limits = new Screens.Limits(4, Duration.ofMinutes(1), 1 << 20, 1 << 20, Duration.ZERO);

    var screen = screens(recorded, limits).at(DirectShare.WITHOUT_TIME, Recorded.ID, null);

    assertThat(screen.offset()).isZero();
    assertThat(screen.approximate()).isTrue();
  }

  @Test
  void few_emulators_are_held() throws Exception {
    var live = new LiveScreens(2, Duration.ofMinutes(1), (_, _) -> {}, CLOCK);
    for (var i = 1; i <= 5; i++) {
      live.place(new TaskId("0198c000-0000-7000-8000-00000000000" + i));
    }

    assertThat(live.size()).isEqualTo(2);
  }

  @Test
  void emulators_that_nobody_looks_at_are_let_go() throws Exception {
    var left = new ArrayList<TaskId>();
    var clock = new SettableClock(Instant.EPOCH);
    var idle = Duration.ofMinutes(5);
    var live = new LiveScreens(9, idle, (taskId, _) -> left.add(taskId), clock);
    var place = live.place(Recorded.ID);
    place.lock();
    place.put(Rendering.begin(new TerminalSize(2, 2)));
    place.unlock();

    clock.advance(idle);
    live.leaveIdle();
    assertThat(left).isEmpty();

    clock.advance(Duration.ofNanos(1));
    live.leaveIdle();

    assertThat(left).containsExactly(Recorded.ID);
    assertThat(live.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_screen_from_disk_is_the_screen_from_the_start(long seed) throws Exception {
    var random = new Random(seed);
    var recorded = Recorded.terminal(6, 30);
    for (var i = 0; i < 60; i++) {
      recordSome(recorded, random);
    }
    var last = recorded.lastSeq(Recorded.ID);
    screens(recorded, keepEvery(100)).at(DirectShare.INSTANCE, Recorded.ID, null);
    assertThat(files()).as("kept").hasSizeGreaterThan(10);

    for (var i = 0; i < 40; i++) {
      var seq = random.nextLong(last + 1);
      var fromDisk =
          screens(recorded, keepEvery(1 << 30)).at(DirectShare.INSTANCE, Recorded.ID, seq);
      var fromStart =
          new Screens(
                  recorded,
                  recorded,
                  new KeptScreens(folder.resolve("none")),
                  ROOMY,
                  _ -> Optional.empty(),
                  CLOCK)
              .at(DirectShare.INSTANCE, Recorded.ID, seq);

      assertThat(shown(fromDisk)).as("at %d", seq).isEqualTo(shown(fromStart));
    }
  }

  private static void recordSome(Recorded recorded, Random random) {
    var bytes = RandomTerminalBytes.of(random, 1 + random.nextInt(40));
    var cut = random.nextInt(bytes.length);
    recorded.output(Arrays.copyOf(bytes, cut));
    if (random.nextInt(4) == 0) {
      recorded.resize(1 + random.nextInt(9), 1 + random.nextInt(50));
    }
    recorded.output(Arrays.copyOfRange(bytes, cut, bytes.length));
  }

  private static List<String> shown(Screen screen) {
    return List.of(
        ScreenText.json(Recorded.ID, new Screens.View(screen, List.of())).toString(),
        ScreenText.ansi(screen));
  }

  private List<Path> files() throws Exception {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void damaged_and_foreign_files_are_passed_over() throws Exception {
    var recorded = Recorded.terminal(3, 20);
    recorded.output("x".repeat(500));
    recorded.output("\\e[2J\\e[Hseen");
    screens(recorded, keepEvery(100)).at(DirectShare.INSTANCE, Recorded.ID, null);
    assertThat(files()).isNotEmpty();
    var random = new Random(7);
    for (var file : files()) {
      var bytes = Files.readAllBytes(file);
      bytes[random.nextInt(bytes.length)] ^= 1;
      Files.write(file, bytes);
    }
    Files.writeString(files().getFirst().resolveSibling("readme"), "not ours");
    Files.write(
        files().getFirst().resolveSibling("0".repeat(20) + "-" + "0".repeat(20)), new byte[3]);

    var screen = screens(recorded, ROOMY).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(screen.grid().line(0)).isEqualTo("seen");
  }

  @Test
  void a_long_log_has_no_more_files_than_a_short_one() throws Exception {
    var recorded = Recorded.terminal(3, 20);
    for (var i = 0; i < 300; i++) {
      recorded.output("some more text\r\n");
    }

    screens(recorded, keepEvery(16)).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(files().size()).isBetween(20, 64);
  }

  @Test
  void the_end_of_the_daemon_keeps_what_was_costly() throws Exception {
    var recorded = Recorded.terminal(3, 20);
    recorded.output("0123456789".repeat(30_000));
    try (var screens = screens(recorded, keepEvery(1 << 30))) {
      screens.at(DirectShare.INSTANCE, Recorded.ID, null);
      assertThat(files()).isEmpty();
    }
    assertThat(files()).hasSize(1);
    recorded.bytesRead();

    screens(recorded, ROOMY).at(DirectShare.INSTANCE, Recorded.ID, null);

    assertThat(recorded.bytesRead()).isZero();
  }
}
