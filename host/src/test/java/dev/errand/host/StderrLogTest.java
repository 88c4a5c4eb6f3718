package dev.errand.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a daemon or a host does not grow for ever. */
final class StderrLogTest {
  @TempDir Path folder;
  private Path file;
  private Path before;
  private FileChannel channel;
  private StderrLog log;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("daemon.log");
    before = folder.resolve("daemon.log.1");
    channel = FileChannel.open(file, CREATE, APPEND);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    log = new StderrLog(channel, file, 30);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
  }

  @Test
  void lines_are_added_while_there_is_room() throws IOException {
    write("one\n");
    write("two\n");

    assertThat(file).hasContent("one\ntwo\n");
    assertThat(before).doesNotExist();
  }

  @Test
  void what_a_full_one_holds_is_kept_beside_it_and_what_was_there_goes() throws IOException {
    write("the first line, long\n");
    write("the second line, long\n");
    write("the third line, long\n");

    assertThat(file).hasContent("the third line, long\n");
    assertThat(before).hasContent("the second line, long\n");
    assertThat(Files.getPosixFilePermissions(before))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void others_who_have_the_same_file_open_go_on_writing_at_its_end() throws IOException {
    write("the first line, long\n");
    write("the second line, long\n");

    channel.write(UTF_8.encode("the JVM\n"));

    assertThat(file).hasContent("the second line, long\nthe JVM\n");
  }

  @Test
  void where_nothing_can_be_kept_new_lines_are_written_all_the_same() throws IOException {
    write("the first line, long\n");
    // In its place no file can be put.
    Files.createDirectories(before.resolve("full"));

    write("the second line, long\n");

    assertThat(file).hasContent("the second line, long\n");
  }

  private void write(String line) throws IOException {
    log.write(line.getBytes(UTF_8));
  }
}
