package dev.errand.host.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.Exit;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.host.Golden;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a host wrote down once must be written and read the same for ever. */
class RecordGoldenTest {
  private static final Stamp STAMP =
      new Stamp(new TaskId("01890a5d-ac96-774b-bcce-b302099a8057"), 2, 7, 1_700_000_000_123L);

  @ParameterizedTest
  @MethodSource("records")
  void a_record_is_written_just_as_recorded(String name, HostRecord record) {
    assertThat(new String(RecordCodec.encode(record), StandardCharsets.UTF_8))
        .isEqualTo(golden(name));
  }

  @ParameterizedTest
  @MethodSource("records")
  void a_recorded_record_reads_back_as_it_was(String name, HostRecord record) {
    assertThat(decoded(golden(name))).isEqualTo(record);
  }

  @ParameterizedTest
  @MethodSource("records")
  void fields_that_this_build_does_not_know_are_skipped(String name, HostRecord record) {
    assertThat(decoded(Golden.grown(golden(name)))).isEqualTo(record);
  }

  @ParameterizedTest
  @MethodSource("olderRecords")
  void a_record_of_an_older_host_reads_with_the_defaults_of_what_it_lacks(
      String name, HostRecord record) {
    assertThat(decoded(golden(name))).isEqualTo(record);
  }

  @Test
  void a_record_of_a_kind_from_a_later_host_is_told_and_not_taken_for_another() {
    assertThat(decoded(golden("from-a-later-host")))
        .isEqualTo(new HostRecord.Unknown(STAMP, "from_a_later_host"));
  }

  @Test
  void each_kind_of_record_has_a_golden_text() {
    assertThat(all().values())
        .extracting(Object::getClass)
        .containsAll(
            Arrays.stream(HostRecord.class.getPermittedSubclasses())
                .filter(it -> it != HostRecord.Unknown.class)
                .toList());
  }

  static Stream<Object[]> records() {
    return cases(all());
  }

  static Stream<Object[]> olderRecords() {
    return cases(older());
  }

  private static Stream<Object[]> cases(Map<String, HostRecord> records) {
    return records.entrySet().stream().map(it -> new Object[] {it.getKey(), it.getValue()});
  }

  private static Map<String, HostRecord> all() {
    var records = new LinkedHashMap<String, HostRecord>();
    records.put("intent", new HostRecord.Intent(STAMP, 1L << 39));
    records.put("started", new HostRecord.Started(STAMP, 123, 456, "boot", "memory=cgroup2"));
    records.put("not-started", new HostRecord.NotStarted(STAMP, "not_found", 2, "no such file"));
    records.put("forgotten", new HostRecord.Forgotten(STAMP));
    records.put("output", new HostRecord.Output(STAMP, LogStream.STDERR, 1L << 40, 3, -1));
    records.put("gap", new HostRecord.Gap(STAMP, LogStream.STDOUT, 5, 9));
    records.put("lost", new HostRecord.Lost(STAMP, LogStream.PTY, 7, 12));
    var typed = Data.of(new byte[] {0, -1, 7});
    records.put("stdin", new HostRecord.Stdin(STAMP, "op-1", 3, true, true, typed, false, "cli"));
    records.put(
        "stdin-secret",
        new HostRecord.Stdin(STAMP, "op-1", 3, false, false, Data.NONE, true, "cli"));
    records.put("signalled", new HostRecord.Signalled(STAMP, "op-1", "TERM", "cli"));
    records.put(
        "signalled-outside",
        new HostRecord.Signalled(STAMP, "op-1", "TERM", "cli", List.of(3L, 4L)));
    records.put("resized", new HostRecord.Resized(STAMP, "op-1", 24, 80, "cli", 99));
    records.put("kill-step", new HostRecord.KillStep(STAMP, "sweep", "cancel", List.of(1L, 2L)));
    records.put("limit-passed", new HostRecord.LimitPassed(STAMP, "wall", 1000));
    records.put("exited", exited(0, null, Exit.Leftovers.NONE, new Usage(0, 0, 0, 0, 0)));
    records.put("exited-killed", killed());
    return records;
  }

  /** As hosts wrote them before there were the fields of today. */
  private static Map<String, HostRecord> older() {
    var typed = Data.of(new byte[] {0, -1, 7});
    return Map.of(
        "older-started",
        new HostRecord.Started(STAMP, 123, 456, "boot", ""),
        "older-stdin",
        new HostRecord.Stdin(STAMP, "op-1", 3, true, false, typed, false, ""),
        "older-exited",
        exited(
            143,
            "TERM",
            new Exit.Leftovers(true, "killed", List.of(7L), List.of()),
            new Usage(15, 0, 20, 0, 0)));
  }

  private static HostRecord.Exited exited(
      int code, @Nullable String signal, Exit.Leftovers left, Usage usage) {
    return new HostRecord.Exited(
        STAMP,
        code,
        signal,
        null,
        null,
        left.pipeHeld(),
        left.outcome(),
        left.killed(),
        left.survivors(),
        List.of(),
        usage,
        List.of());
  }

  private static HostRecord.Exited killed() {
    var extents = List.of(new Extent(0, 5), new Extent(9, 12));
    return new HostRecord.Exited(
        STAMP,
        137,
        "KILL",
        "cancel",
        "kill",
        true,
        "killed",
        List.of(7L),
        List.of(8L),
        List.of(
            new StreamEnd(LogStream.STDOUT, 12, 8, 2, "ab", extents),
            new StreamEnd(LogStream.STDERR, 0, 0, 0, null, List.of())),
        new Usage(10, 5, 20, 30, 40),
        List.of(new Exit.Leftover(7, 70, "sleep 600")));
  }

  private static HostRecord decoded(String text) {
    return RecordCodec.decode(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String golden(String name) {
    return Golden.text(RecordGoldenTest.class, name);
  }
}
