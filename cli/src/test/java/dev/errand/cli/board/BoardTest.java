package dev.errand.cli.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.TaskStatus;
import dev.errand.wire.json.JsonFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BoardTest {
  private static final Instant NOW = Instant.ofEpochMilli(1_800_000_000_000L);
  private static final int ROWS = 10;
  private static final int COLS = 100;

  private final Board board = new Board();

  @BeforeEach
  void fill() {
    board.show(
        List.of(
            task(1, "exited", "'label':'old','exit_code':0"),
            task(2, "running", "'label':'web','execution_mode':'pty'"),
            task(3, "queued", "'label':'next','queue':{'position':4,'reason':'lane'}")));
  }

  private static TaskStatus task(int number, String status, String fields) {
    var json =
        """
        {'task_id':'%s','status':'%s','command':'make %d','created_at_ms':%d,%s}\
        """
            .formatted(id(number), status, number, NOW.toEpochMilli() - 65_000, fields);
    return new TaskStatus(JsonFields.of(json.replace('\'', '"').getBytes(UTF_8)));
  }

  private static TaskId id(int number) {
    return new TaskId("0198f2a3-b1c2-7def-8123-%012d".formatted(number));
  }

  private Board.Request press(String keys) {
    Board.Request request = new Board.Request.Nothing();
    for (var key : Key.of(keys.getBytes(UTF_8), keys.getBytes(UTF_8).length)) {
      request = board.press(key);
    }
    return request;
  }

  private List<String> lines() {
    return BoardView.lines(board, ROWS, COLS, NOW, false);
  }

  @Test
  void what_lives_comes_first_with_its_state_its_time_and_its_last_line() {
    board.tail(id(2), "listening on 80");

    assertThat(lines()).hasSize(ROWS);
    assertThat(lines().get(0)).isEqualTo("errand  1 running  1 queued  1 over");
    assertThat(lines().get(2)).contains("> running", "web", "1m05s", "make 2", "listening on 80");
    assertThat(lines().get(3)).contains("queued", "next", "place 4, waits for: lane");
    assertThat(lines().get(4)).contains("exited 0", "old");
  }

  @Test
  void the_selection_moves_and_stays_with_its_task() {
    press("\033[B");
    assertThat(requireNonNull(board.chosen()).taskId()).isEqualTo(id(3));
    board.show(List.of(task(3, "exited", "'exit_code':0"), task(9, "running", "'label':'new'")));
    assertThat(requireNonNull(board.chosen()).taskId()).isEqualTo(id(3));
    press("\033[A\033[A\033[A");
    assertThat(requireNonNull(board.chosen()).taskId()).isEqualTo(id(9));
    press("G");
    assertThat(board.message()).contains("no key");
    press("\033[F");
    assertThat(requireNonNull(board.chosen()).taskId()).isEqualTo(id(3));
  }

  @Test
  void the_chosen_task_is_always_in_sight() {
    var many = new ArrayList<TaskStatus>();
    for (var i = 1; i <= 50; i++) {
      many.add(task(i, "running", "'label':'t%d'".formatted(i)));
    }
    board.show(many);
    press("\033[H");
    for (var i = 0; i < 30; i++) {
      press("j");
    }

    assertThat(lines())
        .hasSize(ROWS)
        .anyMatch(it -> it.contains("> running") && it.contains("t31 "));
  }

  @Test
  void a_cancel_is_asked_about_first() {
    assertThat(press("c")).isEqualTo(new Board.Request.Nothing());
    assertThat(lines().getLast()).isEqualTo("cancel web and all its processes? y/n");
    assertThat(press("n")).isEqualTo(new Board.Request.Nothing());
    assertThat(press("cy")).isEqualTo(new Board.Request.Cancel(id(2)));
    press("\033[F");
    assertThat(press("cy")).as("over").isEqualTo(new Board.Request.Nothing());
  }

  @Test
  void a_terminal_is_attached_to_and_what_has_none_is_looked_at() {
    assertThat(press("\r")).isInstanceOf(Board.Request.Attach.class);
    press("j\r");
    assertThat(board.mode()).isEqualTo(Board.Mode.LOG);
    board.log(List.of("one", "\033[31mtwo"));
    assertThat(lines()).hasSize(ROWS).contains("one", "^[[31mtwo");
    press("q");
    assertThat(board.mode()).isEqualTo(Board.Mode.LIST);
    assertThat(press("q")).isEqualTo(new Board.Request.Quit());
  }

  @Test
  void a_filter_is_typed_kept_and_cleared() {
    press("fNEx\u007fx");
    assertThat(lines().getLast()).startsWith("filter: NEx_");
    assertThat(board.listed()).extracting(TaskStatus::taskId).containsExactly(id(3));
    press("\r");
    assertThat(lines().getFirst()).endsWith("filter: NEx");
    assertThat(requireNonNull(board.chosen()).taskId()).isEqualTo(id(3));
    press("\033");
    assertThat(board.listed()).hasSize(3);
  }

  @Test
  void ctrl_c_leaves_from_everywhere() {
    for (var before : List.of("", "f", "c", "l")) {
      assertThat(press(before + "\003")).isEqualTo(new Board.Request.Quit());
    }
  }

  @Test
  void nothing_that_a_task_wrote_commands_the_terminal_and_no_line_is_too_wide() {
    board.tail(id(2), "\033]0;title\007 and \u202e more" + "x".repeat(300));
    press("f\u001bf");

    assertThat(BoardView.lines(board, 5, 40, NOW, false))
        .hasSize(5)
        .allSatisfy(it -> {
          var bare = it.replaceAll("\033\\[[07]m", "");
          assertThat(bare).doesNotContain("\033").doesNotContain("\007");
          assertThat(bare.length()).isLessThanOrEqualTo(40);
        });
  }

  @Test
  void an_empty_board_takes_every_key() {
    board.show(List.of());

    press("\r\033[A\033[B\033[5~\033[6~clfa\rjk\033[99~\033Ox");

    assertThat(lines()).hasSize(ROWS);
  }

  @Test
  void the_last_line_of_a_text_is_the_last_that_has_something_on_it() {
    assertThat(BoardSession.lastLine("one\r\ntwo\r\n\n")).isEqualTo("two");
    assertThat(BoardSession.lastLine("10%\r20%\r")).isEqualTo("20%");
    assertThat(BoardSession.lastLine("")).isEmpty();
  }
}
