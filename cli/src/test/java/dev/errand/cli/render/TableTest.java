package dev.errand.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.cli.render.Table.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {

  @Test
  void columns_are_as_wide_as_their_widest_cell() {
    var table = new Table("ID", "COMMAND");
    table.row(List.of(Cell.of("abc"), Cell.of("make")));
    table.row(List.of(Cell.of("d"), Cell.of("make check")));

    assertThat(table.lines(0, false))
        .containsExactly("ID   COMMAND", "abc  make", "d    make check");
  }

  @Test
  void wide_and_combining_characters_keep_the_columns_straight() {
    var table = new Table("LABEL", "X");
    table.row(List.of(Cell.of("日本語"), Cell.of("1")));
    table.row(List.of(Cell.of("e\u0301te\u0301"), Cell.of("2")));
    table.row(List.of(Cell.of("🎉"), Cell.of("3")));

    assertThat(table.lines(0, false))
        .containsExactly("LABEL   X", "日本語  1", "e\u0301te\u0301     2", "🎉      3");
  }

  @Test
  void the_last_column_is_cut_to_the_width_and_says_so() {
    var table = new Table("ID", "COMMAND");
    table.row(List.of(Cell.of("ab"), Cell.of("日本語日本語日本語")));

    assertThat(table.lines(15, false).get(1)).isEqualTo("ab  日本語日本…");
    assertThat(DisplayWidth.of(table.lines(15, false).get(1))).isLessThanOrEqualTo(15);
  }

  @Test
  void colour_does_not_move_columns() {
    var table = new Table("ID", "STATUS", "X");
    table.row(List.of(Cell.of("a"), new Cell("ok", Style.GREEN), Cell.of("1")));

    assertThat(table.lines(0, true).get(1)).isEqualTo("a   \u001b[32mok    \u001b[0m  1");
  }
}
