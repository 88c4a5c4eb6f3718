package dev.errand.wire.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArtifactCheckTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path root;

  @Test
  void files_with_other_bytes_than_their_digest_says_are_named() throws Exception {
    keep("whole");
    var flipped = keep("flipped");
    Files.writeString(file(flipped), "flapped");
    var cut = keep("cut off");
    Files.writeString(file(cut), "cut");
    Files.writeString(root.resolve("incoming-1"), "half of an upload");

    var report = ArtifactCheck.run(root, null, Long.MAX_VALUE, LONG);

    assertThat(report.files()).isEqualTo(3);
    assertThat(report.damaged()).containsExactlyInAnyOrder(flipped, cut);
    assertThat(report.next()).isNull();
  }

  @Test
  void small_steps_see_each_file_once_and_come_to_an_end() throws Exception {
    var ids = new TreeSet<String>();
    for (var i = 0; i < 40; i++) {
      ids.add(keep("artifact " + i));
    }
    Files.writeString(file(ids.last()), "other");
    var damaged = new ArrayList<String>();
    var files = 0;
    var report = ArtifactCheck.run(root, null, 25, LONG);
    while (report.next() != null) {
      files += report.files();
      damaged.addAll(report.damaged());
      report = ArtifactCheck.run(root, report.next(), 25, LONG);
    }

    assertThat(files + report.files()).isEqualTo(40);
    damaged.addAll(report.damaged());
    assertThat(damaged).containsExactly(ids.last());
  }

  @Test
  void a_time_that_is_over_still_lets_one_be_looked_at() throws Exception {
    keep("one");
    keep("two");

    var report = ArtifactCheck.run(root, null, Long.MAX_VALUE, Duration.ZERO);

    assertThat(report.files()).isEqualTo(1);
    assertThat(report.next()).isNotNull();
  }

  @Test
  void a_home_without_artifacts_is_whole() {
    var report = ArtifactCheck.run(root.resolve("none"), null, 1, LONG);

    assertThat(report).isEqualTo(new ArtifactCheck.Report(0, 0, List.of(), null));
  }

  private String keep(String text) throws Exception {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var id = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    Files.createDirectories(file(id).getParent());
    Files.write(file(id), bytes);
    return id;
  }

  private Path file(String id) throws IOException {
    return root.resolve(id.substring(0, 2)).resolve(id);
  }
}
