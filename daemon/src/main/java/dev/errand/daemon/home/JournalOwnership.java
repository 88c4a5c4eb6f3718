package dev.errand.daemon.home;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.store.HomeMark;
import dev.errand.daemon.store.JournalSize;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.LossFile;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the journal in a home belongs to that home and is complete. Both have the same
 * random id, and the journal has the folder's device and inode, which a rename keeps and a copy
 * changes. The processes of a copied journal's tasks belong to the original home and must not be
 * touched. The home records roughly how much was in its journal, so that a lost or restored journal
 * is detected.
 */
public final class JournalOwnership {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final ErrandHome home;

  /** The id is empty if the home has none yet. */
  private final HomeMark here;

  /** The recorded minimum size of the journal; null if there is none. */
  private final @Nullable JournalSize noted;

  /** The same; empty if there is none. */
  private final JournalSize known;

  private JournalOwnership(ErrandHome home, HomeMark here, @Nullable JournalSize noted) {
    this.home = home;
    this.here = here;
    this.noted = noted;
    this.known = noted == null ? JournalSize.NOTHING : noted;
  }

  public static JournalOwnership of(ErrandHome home) throws IOException {
    var file = read(home.identity());
    return new JournalOwnership(
        home,
        new HomeMark(
            file.id(),
            number(home, "unix:dev"),
            number(home, "unix:ino"),
            Files.readString(BOOT_ID).strip()),
        file.noted());
  }

  /** The identity file of a home; without it the id is empty. */
  private record HomeFile(String id, @Nullable JournalSize noted) {}

  private static HomeFile read(Path file) throws IOException {
    try {
      var in = JsonFields.of(Files.readAllBytes(file));
      var size = new JournalSize(in.number("tasks", 0), in.number("position", 0));
      return new HomeFile(in.text("id"), in.has("tasks") ? size : null);
    } catch (NoSuchFileException _) {
      return new HomeFile("", null);
    } catch (ErrandException e) {
      throw new HomeRefused(
          "%s cannot be read (%s); move it away, then see: errand adopt --help"
              .formatted(file, e.getMessage()));
    }
  }

  private static long number(ErrandHome home, String attribute) throws IOException {
    return ((Number) Files.getAttribute(home.root(), attribute)).longValue();
  }

  /** The minimum size of the journal. */
  public JournalSize known() {
    return known;
  }

  /**
   * Fails if an empty journal would replace one that had tasks.
   *
   * @param tasksWithLogs the number of tasks with logs in the home, used if no size is recorded
   */
  public void checkNew(long tasksWithLogs) throws HomeRefused {
    var tasks = tasksKnown(tasksWithLogs);
    if (tasks > 0) {
      throw new HomeRefused(
          String.format(
              Locale.ROOT,
              "the journal of %s is gone: about %,d tasks were recorded here, and %s is missing or has nothing in it. Nothing was touched. To see what is left and what can be done: errand recover. To begin with a new journal: errand recover --new-journal",
              home.root(),
              tasks,
              home.database().getFileName()));
    }
  }

  /** Fails if the journal belongs to another home; the message says what to do. */
  public void check(@Nullable HomeMark inJournal, JournalSize size) throws HomeRefused {
    var difference = difference(inJournal, size.position() == 0);
    if (difference.isPresent()) {
      throw new HomeRefused(
          "the journal in %s %s. Tasks of that other home may be running, so nothing was touched. To look at it: errand serve --read-only. To make it this home's own from now on: errand adopt"
              .formatted(home.root(), difference.get()));
    }
    if (known.tasks() > 0 && size.position() < known.position()) {
      throw new HomeRefused(older(size));
    }
  }

  private String older(JournalSize size) {
    return String.format(
        Locale.ROOT,
        "the journal in %s is older than the one that was here: it has %,d of about %,d tasks, and ends at position %,d of %,d. Tasks that it has as waiting or running may be over, so nothing was touched. To see what is left and what can be done: errand recover. To look at it: errand serve --read-only. To go on with it, with running tasks as lost and waiting ones started: errand adopt",
        home.root(),
        size.tasks(),
        Math.max(known.tasks(), size.tasks()),
        size.position(),
        known.position());
  }

  private Optional<String> difference(@Nullable HomeMark inJournal, boolean isNew) {
    if (inJournal == null) {
      // A journal of an older version, or a new one, belongs to the first home that opens it.
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

  private long tasksKnown(long tasksWithLogs) {
    return noted == null ? tasksWithLogs : noted.tasks();
  }

  /** The loss, if the journal has less than this home recorded. */
  public Optional<LossFile> loss(JournalSize size, long tasksWithLogs, Instant now) {
    var tasks = tasksKnown(tasksWithLogs);
    return tasks > 0 && (size.tasks() < tasks || size.position() < known.position())
        ? Optional.of(new LossFile(tasks, size.tasks(), now.truncatedTo(ChronoUnit.SECONDS)))
        : Optional.empty();
  }

  /** The mark of this home for the journal, with the id of the home if it has one. */
  public HomeMark mark(@Nullable HomeMark inJournal) {
    if (!here.id().isEmpty()) {
      return here;
    }
    return inJournal == null ? adopted() : withId(inJournal.id());
  }

  /**
   * The same for an adopted journal, with a new id, so that the two homes are no longer confused.
   */
  public HomeMark adopted() {
    return withId(UUID.randomUUID().toString());
  }

  private HomeMark withId(String id) {
    return new HomeMark(id, here.device(), here.inode(), here.boot());
  }

  /**
   * Must be called when the journal has the mark: a home without an identity file takes the id from
   * a journal written in the same folder.
   */
  public void write(HomeMark mark, JournalSize size) throws IOException {
    if (!mark.id().equals(here.id()) || !size.equals(noted)) {
      write(home, mark.id(), size);
    }
  }

  /** Records the size of the journal, if the home still has that id. */
  public static void note(ErrandHome home, String id, JournalSize size) throws IOException {
    if (read(home.identity()).id().equals(id)) {
      write(home, id, size);
    }
  }

  private static void write(ErrandHome home, String id, JournalSize size) throws IOException {
    PrivateFile.write(
        home.identity(),
        JsonWriter.object(out ->
            out.text("id", id).number("tasks", size.tasks()).number("position", size.position())));
  }
}
