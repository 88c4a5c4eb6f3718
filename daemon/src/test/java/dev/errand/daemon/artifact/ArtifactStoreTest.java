package dev.errand.daemon.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.daemon.store.Durability;
import dev.errand.testkit.SettableClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ArtifactStoreTest {
  /** The SHA-256 of "hello". */
  private static final String HELLO =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  private final SettableClock clock = new SettableClock(Instant.now());

  @TempDir private Path folder;
  private Path root;
  private ArtifactStore store;

  @BeforeEach
  void open() throws Exception {
    root = folder.resolve("artifacts");
    store = new ArtifactStore(root, Durability.FULL, clock);
  }

  @Test
  void what_was_put_is_read_under_its_digest() throws Exception {
    var stored = store.put(DirectShare.INSTANCE, input("hello"), 5);

    assertThat(stored).isEqualTo(new StoredArtifact(HELLO, 5));
    assertThat(read(HELLO)).isEqualTo("hello");
    assertThat(files()).containsExactly(root.resolve("2c").resolve(HELLO));
  }

  @Test
  void only_the_owner_may_read() throws Exception {
    store.put(DirectShare.INSTANCE, input("hello"), 5);

    assertThat(mode(root)).isEqualTo("rwx------");
    assertThat(mode(root.resolve("2c"))).isEqualTo("rwx------");
    assertThat(mode(root.resolve("2c").resolve(HELLO))).isEqualTo("rw-------");
  }

  @Test
  void too_many_bytes_are_refused_and_leave_nothing() throws Exception {
    assertThatThrownBy(() -> store.put(DirectShare.INSTANCE, input("hello"), 4))
        .isInstanceOfSatisfying(
            ErrandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));

    assertThat(files()).isEmpty();
  }

  @Test
  void an_input_that_breaks_leaves_nothing() throws Exception {
    var broken =
        new InputStream() {
          private boolean begun;

          @Override
          public int read() throws IOException {
            if (begun) {
              throw new IOException("gone");
            }
            begun = true;
            return 'x';
          }

          @Override
          public int read(byte[] buffer, int offset, int count) throws IOException {
            buffer[offset] = (byte) read();
            return 1;
          }
        };

    assertThatIOException()
        .isThrownBy(() -> store.put(DirectShare.INSTANCE, broken, 100))
        .withMessage("gone");
    assertThat(files()).isEmpty();
  }

  @Test
  void the_same_content_is_kept_once_and_the_older_file_stays() throws Exception {
    store.put(DirectShare.INSTANCE, input("hello"), 5);
    var file = root.resolve("2c").resolve(HELLO);
    var key = Files.readAttributes(file, "unix:ino").get("ino");

    store.put(DirectShare.INSTANCE, input("hello"), 5);

    assertThat(Files.readAttributes(file, "unix:ino").get("ino")).isEqualTo(key);
    assertThat(files()).containsExactly(file);
  }

  @Test
  void many_may_put_the_same_content_at_once() throws Exception {
    var text = "a".repeat(200_000);
    var works = new ArrayList<Callable<StoredArtifact>>();
    for (var i = 0; i < 32; i++) {
      works.add(() -> store.put(DirectShare.INSTANCE, input(text), 1 << 20));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var ids = new ArrayList<String>();
      for (var future : threads.invokeAll(works)) {
        ids.add(future.get().sha256());
      }
      assertThat(ids).hasSize(32).containsOnly(ids.getFirst());
      assertThat(read(ids.getFirst())).isEqualTo(text);
    }
    assertThat(files()).hasSize(1);
  }

  @Test
  void a_log_becomes_an_artifact_as_a_second_name_of_its_bytes() throws Exception {
    var log = Files.writeString(folder.resolve("log"), "hello");

    store.link(log, HELLO);
    store.link(log, HELLO);
    assertThat(Files.readAttributes(log, "unix:nlink").get("nlink")).isEqualTo(2);
    Files.delete(log);

    assertThat(read(HELLO)).isEqualTo("hello");
  }

  @Test
  void a_file_that_is_gone_cannot_be_linked() throws Exception {
    assertThatThrownBy(() -> store.link(folder.resolve("none"), HELLO))
        .isInstanceOf(ErrandException.class);
  }

  @Test
  void a_symbolic_link_is_not_taken_for_a_log() throws Exception {
    var secret = Files.writeString(folder.resolve("secret"), "hello");
    var planted = Files.createSymbolicLink(folder.resolve("log"), secret);

    assertThatThrownBy(() -> store.link(planted, HELLO)).isInstanceOf(ErrandException.class);
    assertThatThrownBy(() -> store.assemble(List.of(planted), HELLO))
        .isInstanceOf(ErrandException.class);
    assertThat(files()).isEmpty();
  }

  @Test
  void the_parts_of_a_log_become_one_artifact() throws Exception {
    var head = Files.writeString(folder.resolve("head"), "hel");
    var tail = Files.writeString(folder.resolve("tail"), "lo");

    store.assemble(List.of(head, tail), HELLO);

    assertThat(read(HELLO)).isEqualTo("hello");
    assertThat(files()).hasSize(1);
  }

  @Test
  void parts_with_another_digest_are_refused_and_leave_nothing() throws Exception {
    var head = Files.writeString(folder.resolve("head"), "HEL");
    var tail = Files.writeString(folder.resolve("tail"), "lo");

    assertThatThrownBy(() -> store.assemble(List.of(head, tail), HELLO))
        .isInstanceOf(ErrandException.class);
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../secret",
        "2c",
        "/etc/passwd",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b982",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b98244",
        "2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824",
        "../../../../../../../../../../../../../../../../../../etc/passwd",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b982\n"
      })
  void what_is_not_a_digest_is_never_a_path(String id) throws Exception {
    Files.writeString(folder.resolve("secret"), "secret");
    var log = Files.writeString(folder.resolve("log"), "hello");

    assertThat(store.open(id)).isEmpty();
    assertThatThrownBy(() -> store.link(log, id)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.assemble(List.of(log), id))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.delete(id)).isInstanceOf(IllegalArgumentException.class);
    assertThat(files()).isEmpty();
    assertThat(folder.resolve("secret")).exists();
  }

  @Test
  void a_link_planted_in_place_of_an_artifact_is_not_followed() throws Exception {
    var secret = Files.writeString(folder.resolve("secret"), "secret");
    Files.createDirectory(root.resolve("2c"));
    Files.createSymbolicLink(root.resolve("2c").resolve(HELLO), secret);

    assertThat(store.open(HELLO)).isEmpty();
    store.put(DirectShare.INSTANCE, input("hello"), 5);
    assertThat(read(HELLO)).isEqualTo("hello");
    assertThat(secret).hasContent("secret");
  }

  @Test
  void a_link_planted_in_place_of_a_folder_is_not_followed() throws Exception {
    var elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve(HELLO), "secret");
    Files.createSymbolicLink(root.resolve("2c"), elsewhere);

    assertThat(store.open(HELLO)).isEmpty();
    assertThatThrownBy(() -> store.put(DirectShare.INSTANCE, input("hello"), 5))
        .isInstanceOf(ErrandException.class);
    assertThat(elsewhere.resolve(HELLO)).hasContent("secret");
  }

  @Test
  void what_is_deleted_is_gone_and_who_reads_it_reads_on() throws Exception {
    store.put(DirectShare.INSTANCE, input("hello"), 5);
    try (var channel = store.open(HELLO).orElseThrow()) {
      assertThat(store.delete(HELLO)).isTrue();
      assertThat(channel.size()).isEqualTo(5);
    }

    assertThat(store.delete(HELLO)).isFalse();
    assertThat(store.open(HELLO)).isEmpty();
  }

  @Test
  void only_what_is_old_and_kept_by_nobody_is_cleaned_up() throws Exception {
    store.put(DirectShare.INSTANCE, input("hello"), 5);
    var other = store.put(DirectShare.INSTANCE, input("other"), 5).sha256();
    var later = clock.millis() + 60_000;

    assertThat(store.deleteUnreferenced(clock.millis() - 60_000, _ -> false)).isZero();
    assertThat(store.deleteUnreferenced(later, _ -> true)).isZero();
    assertThat(store.deleteUnreferenced(later, HELLO::equals)).isEqualTo(1);
    assertThat(store.open(other)).isEmpty();
    assertThat(read(HELLO)).isEqualTo("hello");
  }

  @Test
  void what_is_kept_again_counts_as_new() throws Exception {
    var log = Files.writeString(folder.resolve("log"), "hello");
    store.put(DirectShare.INSTANCE, input("hello"), 5);

    for (var keep :
        List.<Callable<?>>of(
            () -> store.put(DirectShare.INSTANCE, input("hello"), 5),
            () -> linked(log),
            () -> {
              store.assemble(List.of(log), HELLO);
              return HELLO;
            })) {
      clock.advance(Duration.ofHours(1));
      assertThat(keep).as("keeps").satisfies(Callable::call);
      assertThat(store.deleteUnreferenced(clock.millis() - 1_000, _ -> false)).isZero();
    }
  }

  @Test
  void a_log_that_was_long_quiet_is_new_as_an_artifact() throws Exception {
    var log = Files.writeString(folder.resolve("log"), "hello");
    clock.advance(Duration.ofHours(1));

    linked(log);

    assertThat(store.deleteUnreferenced(clock.millis() - 1_000, _ -> false)).isZero();
  }

  @Test
  void what_is_kept_again_while_clean_up_looks_stays() throws Exception {
    var log = Files.writeString(folder.resolve("log"), "hello");
    store.put(DirectShare.INSTANCE, input("hello"), 5);
    clock.advance(Duration.ofHours(1));

    var deleted = store.deleteUnreferenced(clock.millis() - 1_000, _ -> linked(log).isEmpty());

    assertThat(deleted).isZero();
    assertThat(read(HELLO)).isEqualTo("hello");
  }

  private String linked(Path log) {
    store.link(log, HELLO);
    return HELLO;
  }

  @Test
  void what_a_crash_left_is_swept_and_artifacts_stay() throws Exception {
    store.put(DirectShare.INSTANCE, input("hello"), 5);
    try (var incoming = ArtifactUpload.create(root)) {
      incoming.write("half".getBytes(UTF_8), 4);

      assertThat(store.sweepTemp()).isEqualTo(1);
    }

    assertThat(store.sweepTemp()).isZero();
    assertThat(read(HELLO)).isEqualTo("hello");
  }

  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  private String read(String sha256) throws IOException {
    try (var channel = store.open(sha256).orElseThrow()) {
      var buffer = ByteBuffer.allocate((int) channel.size());
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        assertThat(buffer.position()).isPositive();
      }
      return new String(buffer.array(), UTF_8);
    }
  }

  private List<Path> files() throws IOException {
    try (var files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
