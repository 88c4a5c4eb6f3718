package dev.errand.host.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The names and the format of the record file: segments of length, CRC-32C and payload. */
final class RecordFiles {
  static final int HEADER_BYTES = 8;

  /** A length above this is invalid: the largest record holds a bounded piece of input. */
  static final int PAYLOAD_BYTES_MAX = 16 << 20;

  private static final String SUFFIX = ".rec";

  private RecordFiles() {}

  static Path segment(Path folder, long number) {
    return folder.resolve("%016d".formatted(number) + SUFFIX);
  }

  /** The same file while it is prepared: readers ignore this name. */
  static Path unnamed(Path segment) {
    return segment.resolveSibling(segment.getFileName() + ".new");
  }

  /** The number of the first existing segment, or -1. */
  static long first(Path folder) throws IOException {
    var numbers = segments(folder);
    return numbers.isEmpty() ? -1 : numbers.first();
  }

  /** The number of the segment that follows this one, or -1; they are numbered without gaps. */
  static long after(Path folder, long number) {
    return Files.exists(segment(folder, number + 1)) ? number + 1 : -1;
  }

  /** The numbers of the existing segments, in order. */
  static NavigableSet<Long> segments(Path folder) throws IOException {
    var numbers = new TreeSet<Long>();
    try (var files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (var file : files) {
        var name = file.getFileName().toString();
        numbers.add(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())));
      }
    } catch (NoSuchFileException _) {
      // A host that died before its first record left no folder: there is nothing to read.
    }
    return numbers;
  }
}
