package dev.errand.bench;

import dev.errand.wire.client.ArtifactClient;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/** Artifacts written and read in parts over HTTP, while tasks are spawned beside them. */
final class ArtifactBench implements Bench {
  private static final int WRITES = 100;
  private static final int WRITE_BYTES = 1 << 20;
  private static final int LARGE_BYTES = 64 << 20;
  private static final int READS = 2_000;
  private static final int READ_BYTES = 64 << 10;

  private final Random random = new Random(7);

  @Override
  public String what() {
    return "artifacts of 1 MiB written and ranges of 64 KiB read over HTTP, under load";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      var artifacts = client.artifacts();
      var large = artifacts.put(bytes(LARGE_BYTES));
      var file = Files.write(rig.folder().resolve("large"), bytes(LARGE_BYTES));
      report.figure("reference: file of 1 MiB written and synced, p50", files(rig).p50(), "ms");
      report.figure("reference: 64 KiB of a file read, p50", ranges(file).p50(), "ms");
      reads(report, "alone", artifacts, large);
      var load = Thread.ofPlatform().daemon().start(() -> load(rig));
      writes(report, artifacts);
      reads(report, "beside spawning tasks", artifacts, large);
      load.interrupt();
      load.join();
      rig.awaitQuiet(client);
    }
  }

  private static void load(Rig rig) {
    try (var client = rig.client()) {
      while (!Thread.currentThread().isInterrupted()) {
        var taskId = client.spawn(NewTask.program(List.of(BareSpawn.NO_OP)).cwd("/"));
        client.waitEnd(taskId, Waits.LONG);
      }
    } catch (RuntimeException e) {
      // The interrupt came in the middle of a request.
      return;
    }
  }

  private byte[] bytes(int count) {
    var bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private Percentiles files(Rig rig) throws IOException {
    var times = new Percentiles();
    for (var i = 0; i < WRITES; i++) {
      var bytes = bytes(WRITE_BYTES);
      var file = rig.folder().resolve("file" + i);
      var begin = System.nanoTime();
      try (var channel =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(bytes));
        channel.force(true);
      }
      times.add(System.nanoTime() - begin);
    }
    return times;
  }

  private Percentiles ranges(Path file) throws IOException {
    var times = new Percentiles();
    for (var i = 0; i < READS; i++) {
      var begin = System.nanoTime();
      try (var channel = FileChannel.open(file)) {
        channel.read(ByteBuffer.allocate(READ_BYTES), random.nextLong(LARGE_BYTES - READ_BYTES));
      }
      times.add(System.nanoTime() - begin);
    }
    return times;
  }

  private void writes(Report report, ArtifactClient artifacts) {
    var times = new Percentiles();
    for (var i = 0; i < WRITES; i++) {
      var bytes = bytes(WRITE_BYTES);
      var begin = System.nanoTime();
      artifacts.put(bytes);
      times.add(System.nanoTime() - begin);
    }
    report.figure("artifact of 1 MiB put beside spawning tasks, p50", times.p50(), "ms");
    report.figure("artifact of 1 MiB put beside spawning tasks, p99", times.p99(), "ms");
  }

  private void reads(Report report, String when, ArtifactClient artifacts, String id) {
    var times = new Percentiles();
    for (var i = 0; i < READS; i++) {
      var begin = System.nanoTime();
      artifacts.read(id, random.nextLong(LARGE_BYTES - READ_BYTES), READ_BYTES);
      times.add(System.nanoTime() - begin);
    }
    report.figure("range of 64 KiB read " + when + ", p50", times.p50(), "ms");
    report.figure("range of 64 KiB read " + when + ", p99", times.p99(), "ms");
  }
}
