package dev.errand.daemon.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.daemon.store.HomeMark;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which journal may be opened in which home. */
final class BelongingTest {
  @TempDir private Path folder;
  private ErrandHome home;

  @BeforeEach
  void makeHome() throws IOException {
    home = new ErrandHome(Files.createDirectory(folder.resolve("home")));
  }

  @Test
  void a_home_and_a_journal_that_know_nothing_of_each_other_fit() {
    assertFits(home, null, true);
    assertFits(home, null, false);
  }

  @Test
  void a_home_fits_its_journal_also_under_another_name() throws IOException {
    var mark = bound();
    assertFits(home, mark, false);

    var renamed = new ErrandHome(Files.move(home.root(), folder.resolve("renamed")));

    assertFits(renamed, mark, false);
  }

  @Test
  void a_journal_in_another_folder_is_refused_also_with_the_whole_home_around_it()
      throws IOException {
    var mark = bound();
    var other = new ErrandHome(Files.createDirectory(folder.resolve("other")));

    assertRefused(other, mark, "was written in another folder");
    Files.copy(home.identity(), other.identity());
    assertRefused(other, mark, "was written in another folder");
  }

  @Test
  void a_journal_of_another_home_is_refused_in_one_that_had_its_own() throws IOException {
    bound();
    var other = new ErrandHome(Files.createDirectory(folder.resolve("other")));

    assertRefused(home, Belonging.of(other).mark(null), "belongs to another home");
    assertRefused(home, null, "was never used in this home");
  }

  @Test
  void a_new_journal_is_not_another_homes() throws IOException {
    bound();

    assertFits(home, null, true);
  }

  @Test
  void a_lost_file_is_written_again_for_the_same_folder() throws IOException {
    var mark = bound();
    Files.delete(home.identity());

    assertFits(home, mark, false);
    assertThat(Belonging.of(home).mark(mark)).isEqualTo(mark);
  }

  @Test
  void devices_may_be_numbered_anew_by_another_boot_and_only_then() throws IOException {
    var mark = bound();

    assertFits(home, new HomeMark(mark.id(), mark.device() + 1, mark.inode(), "before"), false);
    assertRefused(
        home,
        new HomeMark(mark.id(), mark.device() + 1, mark.inode(), mark.boot()),
        "was written in another folder");
    assertRefused(
        home,
        new HomeMark(mark.id(), mark.device(), mark.inode() + 1, "before"),
        "was written in another folder");
  }

  @Test
  void an_adopted_journal_and_the_one_that_it_was_copied_from_are_no_longer_the_same()
      throws IOException {
    var mark = bound();
    var belonging = Belonging.of(home);
    var adopted = belonging.adopted();
    belonging.write(adopted);

    assertFits(home, adopted, false);
    assertRefused(home, mark, "belongs to another home");
  }

  @Test
  void a_file_that_says_nothing_is_named() throws IOException {
    Files.writeString(home.identity(), "{");

    assertThatThrownBy(() -> Belonging.of(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining("home.json");
  }

  private HomeMark bound() throws IOException {
    var belonging = Belonging.of(home);
    var mark = belonging.mark(null);
    belonging.write(mark);
    return mark;
  }

  private static void assertFits(ErrandHome home, @Nullable HomeMark mark, boolean isNew) {
    assertThatCode(() -> Belonging.of(home).check(mark, isNew)).doesNotThrowAnyException();
  }

  private static void assertRefused(ErrandHome home, @Nullable HomeMark mark, String why) {
    assertThatThrownBy(() -> Belonging.of(home).check(mark, false))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining(why)
        .hasMessageContaining("errand adopt")
        .hasMessageContaining("errand serve --read-only");
  }
}
