package dev.errand.daemon.screen;

import dev.errand.core.task.TaskId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jline.utils.ScreenTerminal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Emulators on disk: {@code <last two of the id>/<id>/<offset>-<seq>}, where the seq is that of the
 * last frame of which anything is shown. Only a cache: a file that is damaged or of another version
 * is skipped, one that cannot be written is missing.
 */
final class KeptScreens {
  private static final Logger log = LoggerFactory.getLogger(KeptScreens.class);

  /** Raised whenever the form or the meaning of the files changes. */
  private static final int VERSION = 1;

  /** Above this every second one is deleted, so that a long log has no more than a short one. */
  private static final int FILES_MAX = 64;

  /** No emulator is larger. */
  private static final int BYTES_MAX = 64 << 20;

  private static final Pattern NAME = Pattern.compile("([0-9]{20})-([0-9]{20})");
  private static final int HEAD_BYTES = Integer.BYTES;

  private final Path root;

  KeptScreens(Path root) {
    this.root = root;
  }

  private record Kept(Path file, long offset, long seq) {}

  void keep(TaskId taskId, Rendering rendering) {
    rendering.kept();
    var folder = folder(taskId);
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      var name = "%020d-%020d".formatted(rendering.offset(), rendering.reached());
      var draft = Files.createTempFile(folder, "draft", "");
      Files.write(draft, encode(rendering));
      Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      thinOut(taskId);
    } catch (IOException e) {
      log.warn("a screen of {} is not kept: {}", taskId, e.toString());
    }
  }

  private void thinOut(TaskId taskId) throws IOException {
    var files = list(taskId);
    if (files.size() > FILES_MAX) {
      for (var i = 0; i < files.size() - 1; i += 2) {
        Files.deleteIfExists(files.get(i).file());
      }
    }
  }

  /** The last one that is not past that frame. */
  Optional<Rendering> newest(TaskId taskId, long seqMax) {
    try {
      for (var kept : list(taskId).reversed()) {
        if (kept.seq() <= seqMax) {
          var rendering = decode(kept.file());
          if (rendering.isPresent()) {
            return rendering;
          }
        }
      }
    } catch (IOException e) {
      log.warn("the kept screens of {} cannot be read: {}", taskId, e.toString());
    }
    return Optional.empty();
  }

  /** By offset, then by seq. */
  private List<Kept> list(TaskId taskId) throws IOException {
    var files = new ArrayList<Kept>();
    try (var entries = Files.newDirectoryStream(folder(taskId))) {
      for (var entry : entries) {
        var name = NAME.matcher(entry.getFileName().toString());
        if (name.matches() && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
          files.add(new Kept(entry, Long.parseLong(name.group(1)), Long.parseLong(name.group(2))));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException _) {
      // Most tasks have none.
    }
    files.sort(Comparator.comparingLong(Kept::offset).thenComparingLong(Kept::seq));
    return files;
  }

  private static byte[] encode(Rendering rendering) throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[HEAD_BYTES]);
    try (var out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeInt(VERSION);
      out.writeUTF(library());
      rendering.write(out);
    }
    var file = bytes.toByteArray();
    ByteBuffer.wrap(file).putInt(checksum(file));
    return file;
  }

  /** Without the file the screen is rendered from an earlier one. */
  private static Optional<Rendering> decode(Path file) {
    try {
      var bytes = Files.size(file) > BYTES_MAX ? new byte[0] : Files.readAllBytes(file);
      if (bytes.length < HEAD_BYTES || ByteBuffer.wrap(bytes).getInt() != checksum(bytes)) {
        throw new IOException("its checksum is wrong");
      }
      var body = new ByteArrayInputStream(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES);
      var in = new DataInputStream(new InflaterInputStream(body));
      if (in.readInt() != VERSION || !in.readUTF().equals(library())) {
        return Optional.empty();
      }
      return Optional.of(Rendering.read(in));
    } catch (IOException | IllegalArgumentException e) {
      log.warn("the kept screen {} is skipped: {}", file.getFileName(), e.toString());
      return Optional.empty();
    }
  }

  /** Its fields may mean something else in another version. */
  private static String library() {
    var version = ScreenTerminal.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static int checksum(byte[] file) {
    var checksum = new CRC32C();
    checksum.update(file, HEAD_BYTES, file.length - HEAD_BYTES);
    return (int) checksum.getValue();
  }

  void delete(TaskId taskId) {
    var folder = folder(taskId);
    try (var files = Files.newDirectoryStream(folder)) {
      for (var file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (NoSuchFileException | NotDirectoryException _) {
      // Most tasks have none.
    } catch (IOException e) {
      log.warn("the kept screens of {} are not removed: {}", taskId, e.toString());
    }
  }

  private Path folder(TaskId taskId) {
    var id = taskId.value();
    return root.resolve(id.substring(id.length() - 2)).resolve(id);
  }
}
