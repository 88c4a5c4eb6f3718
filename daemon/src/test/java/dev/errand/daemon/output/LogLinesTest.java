package dev.errand.daemon.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.errand.core.task.LinePage;
import dev.errand.core.task.LogGap;
import dev.errand.core.task.LogSpan;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SearchFrom;
import dev.errand.core.task.SearchPage;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.daemon.compute.Share;
import dev.errand.host.log.LogFolders;
import dev.errand.host.log.LogReader;
import dev.errand.testkit.SettableClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs by lines: what is told is what a reader of the whole file would count and find. */
final class LogLinesTest {
  private static final TaskId TASK = new TaskId("0198c000-0000-7000-8000-000000000001");

  @TempDir Path folder;
  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final Share share = new DirectShare(clock, ComputePool.STEP_TIME);
  private FileLogStore store;
  private LogLines lines;

  @BeforeEach
  void open() throws Exception {
    store = new FileLogStore(new LogReader(folder), new LogFolders(folder));
    lines = new LogLines(store, clock);
  }

  /** A part of the log as the host stores it. */
  private Path write(long offset, String text) throws Exception {
    var file = folder.resolve("01").resolve(TASK.value()).resolve("stdout.%020d".formatted(offset));
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private LogSpan span(boolean ended) throws Exception {
    return new LogSpan(TASK, LogStream.STDOUT, store.total(TASK, LogStream.STDOUT), ended);
  }

  private LinePage page(long first, int count) throws Exception {
    return lines.lines(share, span(true), first, count);
  }

  private SearchPage search(String pattern, int context, int limit, SearchFrom from)
      throws Exception {
    return lines.search(
        share, span(true), new SearchRequest(Pattern.compile(pattern), context, limit, from));
  }

  private static SearchFrom line(long number) throws Exception {
    return new SearchFrom.Line(number);
  }

  @Test
  void lines_are_found_by_their_numbers() throws Exception {
    write(0, "one\ntwo\n\nfour\nfive");

    assertThat(page(2, 3).lines()).containsExactly("two", "", "four");
    assertThat(page(2, 3).offset()).isEqualTo(4);
    assertThat(page(2, 3).next()).isEqualTo(5);
    assertThat(page(2, 3).nextOffset()).isEqualTo(14);
    assertThat(page(5, 10).lines()).containsExactly("five");
    assertThat(page(5, 10).next()).isEqualTo(6);
    assertThat(page(6, 10).lines()).isEmpty();
    assertThat(page(6, 10).next()).isEqualTo(6);
  }

  @Test
  void the_last_line_of_a_growing_log_is_shown_and_read_again() throws Exception {
    write(0, "one\ntw");

    var first = lines.lines(share, span(false), 1, 10);
    assertThat(first.lines()).containsExactly("one", "tw");
    assertThat(first.partial()).isTrue();
    assertThat(first.next()).isEqualTo(2);
    assertThat(first.nextOffset()).isEqualTo(4);

    write(0, "o\nthree\n");
    var second = lines.lines(share, span(false), first.next(), 10);
    assertThat(second.lines()).containsExactly("two", "three");
    assertThat(second.partial()).isFalse();
    assertThat(second.next()).isEqualTo(4);
  }

  @Test
  void a_long_line_is_cut_and_the_next_one_is_found_behind_it() throws Exception {
    write(0, "a\n" + "é".repeat(5_000_000) + "\nb\n");

    var page = page(1, 10);

    assertThat(page.lines()).hasSize(3);
    assertThat(page.lines().get(1)).isEqualTo("é".repeat(LogLines.LINE_CHARS_MAX) + "…");
    assertThat(page.cut()).containsExactly(2L);
    assertThat(page.lines().get(2)).isEqualTo("b");
    assertThat(page(3, 1).lines()).containsExactly("b");
  }

  @Test
  void a_line_is_plain_text() throws Exception {
    write(0, "\033[31mred\033[0m \033]0;title\007x\r\n10%\r20%\r\n\u009b1mbold\u202e\b\n");

    assertThat(page(1, 3).lines()).containsExactly("red x", "20%", "bol");
  }

  @Test
  void a_line_that_was_written_over_is_shown_as_it_stood_in_the_end() throws Exception {
    var progress = new StringBuilder("start\r");
    for (var i = 0; i < 40_000; i++) {
      progress.append("step ").append(i).append("\r\033[K");
    }
    write(0, "error: x\rfine\r\033[K\n" + progress + "all done\r\nb\n" + progress);

    var page = page(1, 10);

    assertThat(page.lines()).containsExactly("fine", "all done", "b", "step 39999");
    assertThat(page.cut()).isEmpty();
    var found = search("done|step 7$|error", 0, 10, line(1)).matches();
    assertThat(found.stream().map(SearchPage.Found::text))
        .containsExactly("error: x", "all done", "step 7");
    assertThat(found.stream().map(SearchPage.Found::line)).containsExactly(1L, 2L, 4L);
  }

  @Test
  void a_match_is_found_through_colours_and_in_the_middle_of_a_long_line() throws Exception {
    var filler = "0123456789".repeat(30_000);
    write(0, "er\033[1mror\033[0m: one\n" + filler + "error: two" + filler + "\nok\n");

    var found = search("error: \\w+", 0, 10, line(1)).matches();

    assertThat(found).hasSize(2);
    assertThat(found.get(0).text()).isEqualTo("error: one");
    assertThat(found.get(1).line()).isEqualTo(2);
    assertThat(found.get(1).cut()).isTrue();
    assertThat(found.get(1).text()).contains("error: two").hasSizeLessThan(2_010);
    assertThat(found.get(1).offset()).isBetween(200_000L, 400_000L);
  }

  @Test
  void a_match_comes_with_the_lines_around_it_on_whatever_page() throws Exception {
    write(0, "a\nb\nX1\nc\nX2\nd\ne\n");

    var first = search("X", 2, 1, line(1));
    assertThat(first.matches())
        .containsExactly(
            new SearchPage.Found(3, 4, "X1", false, List.of("a", "b"), List.of("c", "X2")));
    assertThat(first.more()).isTrue();

    var second = search("X", 2, 1, new SearchFrom.Offset(first.nextOffset()));
    assertThat(second.matches())
        .containsExactly(
            new SearchPage.Found(5, 9, "X2", false, List.of("X1", "c"), List.of("d", "e")));
    var third = search("X", 2, 1, new SearchFrom.Offset(second.nextOffset()));
    assertThat(third.matches()).isEmpty();
    assertThat(third.more()).isFalse();
  }

  @Test
  void an_open_last_line_that_does_not_match_yet_is_searched_again() throws Exception {
    write(0, "x\nerr");
    var request = new SearchRequest(Pattern.compile("error"), 0, 10, line(1));

    var first = lines.search(share, span(false), request);
    write(0, "or\n");
    var from = new SearchFrom.Offset(first.nextOffset());
    var second =
        lines.search(share, span(false), new SearchRequest(Pattern.compile("error"), 0, 10, from));

    assertThat(first.matches()).isEmpty();
    assertThat(second.matches()).extracting(SearchPage.Found::line).containsExactly(2L);
  }

  @Test
  void lines_go_on_behind_a_gap_which_is_told() throws Exception {
    write(0, "one\ntwo\nthr");
    write(100, "ee\nfour\n");

    var page = page(1, 10);

    assertThat(page.lines()).containsExactly("one", "two", "thr", "ee", "four");
    assertThat(page.gaps()).containsExactly(new LogGap(4, 11, 100));
    assertThat(search("four", 0, 5, line(1)).matches())
        .extracting(SearchPage.Found::line, SearchPage.Found::offset)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(5L, 103L));
    assertThat(search("four", 0, 5, new SearchFrom.Offset(50)).matches()).hasSize(1);
  }

  @Test
  void numbers_are_counted_anew_when_the_cap_drops_what_was_counted() throws Exception {
    var mebibyte = "0123456789abcde\n".repeat(65_536);
    write(0, mebibyte);
    var second = write(1 << 20, mebibyte);
    write(2 << 20, mebibyte.repeat(3));
    assertThat(page(200_000, 1).offset()).isEqualTo(199_999 * 16);

    Files.delete(second);

    var page = page(131_073, 1);
    assertThat(page.offset()).isEqualTo(3 << 20);
    assertThat(page.gaps()).containsExactly(new LogGap(65_537, 1 << 20, 2 << 20));
  }

  @Test
  void random_logs_are_read_and_searched_as_their_text_would_be() throws Exception {
    var random = new Random(7);
    var texts = new ArrayList<String>();
    while (texts.size() < 3_000) {
      var length = random.nextInt(50) == 0 ? random.nextInt(20_000) : random.nextInt(80);
      texts.add("l" + texts.size() + "é".repeat(length) + (random.nextInt(9) == 0 ? "MARK" : ""));
    }
    write(0, String.join("\n", texts) + "\n");
    for (var i = 0; i < 30; i++) {
      var first = 1 + random.nextInt(texts.size());
      var last = Math.min(texts.size(), first - 1 + 20);
      var expected = texts.subList(first - 1, last).stream().map(LineText::cut).toList();
      assertThat(page(first, 20).lines()).isEqualTo(expected);
    }
    var numbers = new ArrayList<Long>();
    SearchFrom from = line(1);
    for (var more = true; more; ) {
      var found = search("MARK$", 3, 7, from);
      found.matches().forEach(it -> numbers.add(it.line()));
      from = new SearchFrom.Offset(found.nextOffset());
      more = found.more();
    }
    var all = new ArrayList<Long>();
    texts.stream().filter(it -> it.endsWith("MARK")).forEach(it -> all.add(texts.indexOf(it) + 1L));
    assertThat(numbers).isEqualTo(all);
  }

  @Test
  void what_is_passed_over_quickly_has_no_match() throws Exception {
    var random = new Random(11);
    var texts = new ArrayList<String>();
    while (texts.size() < 2_000) {
      var text = new StringBuilder();
      for (var i = random.nextInt(12); i > 0; i--) {
        text.append("abMARK x\t1".charAt(random.nextInt(10)));
      }
      texts.add(text.toString());
    }
    write(0, String.join("\n", texts) + "\n");
    for (var each :
        List.of(
            "MA", "(?i)mark", "^a", "a$", "^$", "\\bx", "x\\B", "[^ab]{3}", "a|^x.*1$", "\\s\\d")) {
      var pattern = Pattern.compile(each);
      var expected = new ArrayList<Long>();
      for (var i = 0; i < texts.size(); i++) {
        if (pattern.matcher(texts.get(i)).find()) {
          expected.add(i + 1L);
        }
      }
      assertThat(search(each, 0, 10_000, line(1)).matches())
          .as(each)
          .extracting(SearchPage.Found::line)
          .isEqualTo(expected);
    }
  }

  @Test
  void a_search_that_has_little_time_comes_to_the_end_by_and_by() throws Exception {
    var hasty = new LogLines(new SlowStore(store, clock), clock, Duration.ofMillis(5));
    write(0, ("nothing here to be seen at all\n".repeat(2_000) + "needle\n").repeat(100));
    var count = 0;
    var pages = 0;
    SearchFrom from = line(1);
    SearchPage page;
    do {
      pages++;
      page =
          hasty.search(
              share, span(true), new SearchRequest(Pattern.compile("needle"), 0, 1_000, from));
      count += page.matches().size();
      from = new SearchFrom.Offset(page.nextOffset());
    } while (page.more());

    assertThat(pages).isGreaterThan(5);
    assertThat(count).isEqualTo(100);
    assertThat(page.next()).isEqualTo(100 * 2_001 + 1);
  }

  /** Takes half a step for each read. */
  private record SlowStore(LogStore store, SettableClock clock) implements LogStore {
    @Override
    public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
      clock.advance(ComputePool.STEP_TIME.dividedBy(2));
      return store.read(taskId, stream, offset, max);
    }

    @Override
    public long total(TaskId taskId, LogStream stream) {
      return store.total(taskId, stream);
    }

    @Override
    public List<TaskId> olderThan(long beforeMs) {
      return store.olderThan(beforeMs);
    }

    @Override
    public void delete(TaskId taskId) {
      store.delete(taskId);
    }
  }

  @Test
  void all_that_was_printed_of_a_number_is_its_line() throws Exception {
    var text = new StringBuilder();
    for (var i = 1; i <= 200_000; i++) {
      text.append("line ").append(i).append('\n');
    }
    write(0, text.toString());

    var digits = java.util.regex.Pattern.compile("\\d+");
    for (var number : List.of(1, 77_777, 200_000, 3, 150_000)) {
      var shown = page(number, 1).lines().getFirst();
      assertThat(digits.matcher(shown).results().map(MatchResult::group))
          .containsExactly(Integer.toString(number));
    }
  }
}
