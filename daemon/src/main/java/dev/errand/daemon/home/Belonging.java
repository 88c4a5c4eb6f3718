package dev.errand.daemon.home;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.store.HomeMark;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether the journal in a home is that home's own. Both have the same random id, and the journal
 * has the folder's device and inode, which a rename keeps and a copy does not. What the tasks of a
 * copied journal left runs for the home that it was copied from, and must not be touched.
 */
public final class Belonging {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final ErrandHome home;

  /** The id is empty where the home has none yet. */
  private final HomeMark here;

  Belonging(ErrandHome home, HomeMark here) {
    this.home = home;
    this.here = here;
  }

  public static Belonging of(ErrandHome home) throws IOException {
    return new Belonging(
        home,
        new HomeMark(
            idIn(home.identity()),
            number(home, "unix:dev"),
            number(home, "unix:ino"),
            Files.readString(BOOT_ID).strip()));
  }

  private static String idIn(Path file) throws IOException {
    try {
      return JsonFields.of(Files.readAllBytes(file)).text("id");
    } catch (NoSuchFileException _) {
      return "";
    } catch (ErrandException e) {
      throw new HomeRefused(
          "%s cannot be read (%s); move it away, then see: errand adopt --help"
              .formatted(file, e.getMessage()));
    }
  }

  private static long number(ErrandHome home, String attribute) throws IOException {
    return ((Number) Files.getAttribute(home.root(), attribute)).longValue();
  }

  /** Fails where the journal in the home is another's; says what a person can do then. */
  public void check(@Nullable HomeMark inJournal, boolean isNew) throws HomeRefused {
    var difference = difference(inJournal, isNew);
    if (difference.isPresent()) {
      throw new HomeRefused(
          "the journal in %s %s. Tasks of that other home may be running, so nothing was touched. To look at it: errand serve --read-only. To make it this home's own from now on: errand adopt"
              .formatted(home.root(), difference.get()));
    }
  }

  private Optional<String> difference(@Nullable HomeMark inJournal, boolean isNew) {
    if (inJournal == null) {
      // A journal of before there were marks, or a new one, belongs to whoever opens it first.
      return here.id().isEmpty() || isNew
          ? Optional.empty()
          : Optional.of("was never used in this home, which had another before");
    }
    if (!here.id().isEmpty() && !here.id().equals(inJournal.id())) {
      return Optional.of("belongs to another home");
    }
    return here.isSamePlace(inJournal)
        ? Optional.empty()
        : Optional.of("was written in another folder: it was copied, or moved to another disk");
  }

  /** What the journal is to know of this home, which keeps its id where it has one. */
  public HomeMark mark(@Nullable HomeMark inJournal) {
    if (!here.id().isEmpty()) {
      return here;
    }
    return inJournal == null ? adopted() : withId(inJournal.id());
  }

  /** The same for a journal that was another's: neither is taken for the other any more. */
  public HomeMark adopted() {
    return withId(UUID.randomUUID().toString());
  }

  private HomeMark withId(String id) {
    return new HomeMark(id, here.device(), here.inode(), here.boot());
  }

  /**
   * To be called when the journal has the mark: a home without a file takes the id from a journal
   * that was written in the same folder.
   */
  public void write(HomeMark mark) throws IOException {
    if (!mark.id().equals(here.id())) {
      PrivateFile.write(home.identity(), JsonWriter.object(out -> out.text("id", mark.id())));
    }
  }
}
