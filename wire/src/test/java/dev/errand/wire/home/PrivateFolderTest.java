package dev.errand.wire.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
  @TempDir private Path folder;

  @Test
  void a_folder_that_was_made_here_has_no_problem() throws Exception {
    var made = folder.resolve("a/b");

    PrivateFolder.make(made);
    PrivateFolder.make(made);

    assertThat(PrivateFolder.problem(made)).isEmpty();
  }

  @Test
  void a_folder_that_others_can_enter_is_told_with_the_remedy() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x---"));

    assertThat(PrivateFolder.problem(folder).orElseThrow())
        .contains("open to others (rwx--x---)", "chmod 700 " + folder);
  }

  @Test
  void a_link_to_a_private_folder_is_not_one() throws Exception {
    var real = folder.resolve("real");
    PrivateFolder.make(real);
    var link = Files.createSymbolicLink(folder.resolve("link"), real);

    assertThat(PrivateFolder.problem(link).orElseThrow())
        .contains("is a link", "name the folder itself: " + real);
  }

  @Test
  void a_folder_of_somebody_else_is_told_whose_it_is() throws Exception {
    var planted = folder.resolve("planted");
    PrivateFolder.make(planted);
    var user = Files.getOwner(planted).getName();
    assumeTrue(user.equals("root"), "only root can give a folder to somebody else");
    var nobody =
        planted.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    Files.setOwner(planted, nobody);

    assertThat(PrivateFolder.problem(planted).orElseThrow()).contains("belongs to nobody");
  }
}
