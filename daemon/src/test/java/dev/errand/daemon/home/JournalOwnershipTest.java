package dev.errand.daemon.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.daemon.store.HomeMark;
import dev.errand.daemon.store.JournalSize;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which journal may be opened in which home. */
final class JournalOwnershipTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final JournalSize SOME = new JournalSize(12, 340);

  @TempDir private Path folder;
  private ErrandHome home;

  @BeforeEach
  void makeHome() throws IOException {
    home = new ErrandHome(Files.createDirectory(folder.resolve("home")));
  }

  @Test
  void a_home_and_a_journal_that_know_nothing_of_each_other_fit() {
    assertFits(home, null, JournalSize.NOTHING);
    assertFits(home, null, SOME);
  }

  @Test
  void a_home_fits_its_journal_also_under_another_name() throws IOException {
    var mark = bound();
    assertFits(home, mark, SOME);

    var renamed = new ErrandHome(Files.move(home.root(), folder.resolve("renamed")));

    assertFits(renamed, mark, SOME);
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

    assertRefused(home, JournalOwnership.of(other).mark(null), "belongs to another home");
    assertRefused(home, null, "was never used in this home");
  }

  @Test
  void a_new_journal_is_not_another_homes() throws IOException {
    var ownership = JournalOwnership.of(home);
    ownership.write(ownership.mark(null), JournalSize.NOTHING);

    assertFits(home, null, JournalSize.NOTHING);
  }

  @Test
  void a_lost_file_is_written_again_for_the_same_folder() throws IOException {
    var mark = bound();
    Files.delete(home.identity());

    assertFits(home, mark, SOME);
    assertThat(JournalOwnership.of(home).mark(mark)).isEqualTo(mark);
  }

  @Test
  void devices_may_be_numbered_anew_by_another_boot_and_only_then() throws IOException {
    var mark = bound();

    assertFits(home, new HomeMark(mark.id(), mark.device() + 1, mark.inode(), "before"), SOME);
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
    var ownership = JournalOwnership.of(home);
    var adopted = ownership.adopted();
    ownership.write(adopted, SOME);

    assertFits(home, adopted, SOME);
    assertRefused(home, mark, "belongs to another home");
  }

  @Test
  void a_journal_with_nothing_in_it_is_refused_where_tasks_were_recorded() throws IOException {
    assertThatCode(() -> JournalOwnership.of(home).checkNew(0)).doesNotThrowAnyException();
    assertThatThrownBy(() -> JournalOwnership.of(home).checkNew(3))
        .as("they left logs")
        .hasMessageContaining("about 3 tasks");
    bound();

    assertThatThrownBy(() -> JournalOwnership.of(home).checkNew(0))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining("about 12 tasks")
        .hasMessageContaining("errand recover --new-journal");
  }

  @Test
  void a_journal_that_ends_earlier_than_it_did_is_refused() throws IOException {
    var mark = bound();

    assertFits(home, mark, new JournalSize(13, 400));
    assertThatThrownBy(() -> JournalOwnership.of(home).check(mark, new JournalSize(5, 339)))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining("has 5 of about 12 tasks")
        .hasMessageContaining("errand recover")
        .hasMessageContaining("errand adopt");
  }

  @Test
  void what_is_gone_is_told() throws IOException {
    bound();
    var ownership = JournalOwnership.of(home);

    assertThat(ownership.loss(SOME, 0, NOW)).isEmpty();
    assertThat(ownership.loss(new JournalSize(5, 340), 0, NOW).orElseThrow().sentence())
        .startsWith("7 of about 12 tasks are gone from the journal");
    assertThat(ownership.loss(new JournalSize(12, 300), 0, NOW).orElseThrow().sentence())
        .startsWith("the last part of the record is gone");
    Files.delete(home.identity());
    assertThat(
            JournalOwnership.of(home).loss(JournalSize.NOTHING, 20, NOW).orElseThrow().tasksKnown())
        .as("by the logs, where nobody wrote it down")
        .isEqualTo(20);
  }

  @Test
  void only_the_home_itself_is_told_how_much_its_journal_holds() throws IOException {
    var mark = bound();

    JournalOwnership.note(home, mark.id(), new JournalSize(20, 500));
    JournalOwnership.note(home, "another", new JournalSize(1, 1));

    assertThat(JournalOwnership.of(home).known()).isEqualTo(new JournalSize(20, 500));
  }

  @Test
  void a_file_that_says_nothing_is_named() throws IOException {
    Files.writeString(home.identity(), "{");

    assertThatThrownBy(() -> JournalOwnership.of(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining("home.json");
  }

  private HomeMark bound() throws IOException {
    var ownership = JournalOwnership.of(home);
    var mark = ownership.mark(null);
    ownership.write(mark, SOME);
    return mark;
  }

  private static void assertFits(ErrandHome home, @Nullable HomeMark mark, JournalSize size) {
    assertThatCode(() -> JournalOwnership.of(home).check(mark, size)).doesNotThrowAnyException();
  }

  private static void assertRefused(ErrandHome home, @Nullable HomeMark mark, String why) {
    assertThatThrownBy(() -> JournalOwnership.of(home).check(mark, SOME))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining(why)
        .hasMessageContaining("errand adopt")
        .hasMessageContaining("errand serve --read-only");
  }
}
