package dev.errand.bench;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The reference for everything durable: a small append and a sync of it, again and again. */
final class DiskSync {
  private static final int BYTES = 300;

  private DiskSync() {}

  static Percentiles measure(Path folder, int count) throws IOException {
    var times = new Percentiles();
    var bytes = ByteBuffer.allocate(BYTES);
    try (var file = FileChannel.open(folder.resolve("sync"), CREATE, WRITE)) {
      for (var i = 0; i < count; i++) {
        var begin = System.nanoTime();
        file.write(bytes.rewind());
        file.force(false);
        times.add(System.nanoTime() - begin);
      }
    }
    return times;
  }
}
