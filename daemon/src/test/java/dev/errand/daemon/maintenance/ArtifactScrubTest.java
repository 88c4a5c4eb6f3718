package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.daemon.store.Durability;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArtifactScrubTest {
  @TempDir Path folder;

  @Test
  void what_a_disk_damaged_is_known_after_a_round_and_forgotten_once_it_is_gone()
      throws IOException, InterruptedException, ErrandException {
    var store = new ArtifactStore(folder, Durability.NORMAL, InstantSource.system());
    var ids = new ArrayList<String>();
    for (var i = 0; i < 12; i++) {
      var text = ("artifact " + i).getBytes(StandardCharsets.UTF_8);
      ids.add(store.put(DirectShare.INSTANCE, new ByteArrayInputStream(text), 100).sha256());
    }
    var scrub = new ArtifactScrub(folder, 1);
    round(scrub);
    assertThat(scrub.damaged()).isZero();

    Files.writeString(folder.resolve(ids.getFirst().substring(0, 2)).resolve(ids.getFirst()), "x");
    Files.writeString(folder.resolve(ids.getLast().substring(0, 2)).resolve(ids.getLast()), "x");
    round(scrub);
    assertThat(scrub.damaged()).isEqualTo(2);

    store.delete(ids.getFirst());
    round(scrub);
    assertThat(scrub.damaged()).isEqualTo(1);
  }

  /** One artifact at a step, and one more step than there are. */
  private static void round(ArtifactScrub scrub) {
    for (var i = 0; i < 13; i++) {
      scrub.step();
    }
  }
}
