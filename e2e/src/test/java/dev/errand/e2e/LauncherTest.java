package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts from the first use to the JVM's command line.
 *
 * <p>They run in a copy of the tree, in a path with spaces, with a JDK and a Maven that only print
 * or write what they were asked: nothing is built or started here.
 */
final class LauncherTest {
  @TempDir private Path temp;
  private LauncherSandbox box;

  @BeforeEach
  void copy_the_scripts_of_the_tree() throws IOException {
    box = LauncherSandbox.in(temp);
  }

  @Test
  void a_java_home_that_is_too_old_is_passed_over_for_a_new_one() throws Exception {
    var old = box.jdk("jdk-17", "17.0.15");
    var found = box.jdk("jdk-25", "25.0.3");

    var result = box.run(Map.of("JAVA_HOME", old.toString()), box.findJava());

    assertThat(result.out()).isEqualTo(found + "\n");
  }

  @Test
  void a_java_home_that_fits_wins() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    var newer = box.jdk("other", "26");

    var result = box.run(Map.of("JAVA_HOME", newer.toString()), box.findJava());

    assertThat(result.out()).isEqualTo(newer + "\n");
  }

  @Test
  void without_a_jdk_the_message_says_what_to_install() throws Exception {
    var old = box.jdk("jdk-17", "17.0.15");

    var result = box.run(Map.of("JAVA_HOME", old.toString()), box.findJava());

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("no JDK 25", "JAVA_HOME is " + old, "apt install", "set JAVA_HOME");
  }

  @Test
  void a_call_through_a_link_from_elsewhere_runs_with_its_arguments() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    var link =
        Files.createSymbolicLink(temp.resolve("link to errand"), box.tree().resolve("errand"));

    var result = box.run(Map.of(), link.toString(), "spawn", "two words", "");

    assertThat(result.out().lines())
        .contains("dev.errand.cli.Main", "spawn", "two words", "-Xlog:disable")
        .endsWith("two words", "");
    assertThat(result.out()).contains("-Derrand.run=" + box.installed().resolve("run"));
  }

  @Test
  void what_comes_on_stdin_reaches_the_program_even_when_it_must_be_built() throws Exception {
    box.jdk("jdk-25", "25.0.3", "cat");
    box.mavenThatBuilds();
    var input = Files.writeString(temp.resolve("input"), "for the program\n");

    var result = box.run(Map.of(), input, box.errand(), "write");

    assertThat(result.out()).isEqualTo("for the program\n");
  }

  @Test
  void the_first_use_builds_and_the_second_does_not() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();

    var first = box.run(Map.of(), box.errand(), "ls");
    var second = box.run(Map.of(), box.errand(), "ls");

    assertThat(first.err()).contains("building", "[2/9] core", "[3/9] wire");
    assertThat(first.out()).isEqualTo(second.out()).doesNotContain("Building");
    assertThat(second.err()).isEmpty();
  }

  @Test
  void what_lies_in_a_home_of_somebody_else_is_not_run() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    var home = somebodyElses();

    var result = box.run(Map.of("ERRAND_HOME", home.toString()), box.errand(), "ls");

    assertThat(result.status()).isEqualTo(4);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(home + " belongs to ", "not to you");
    assertThat(home.resolve("builds")).doesNotExist();
  }

  /** Root makes one; anybody else finds one of root. */
  private Path somebodyElses() throws IOException {
    var ours = Files.createDirectory(temp.resolve("theirs"));
    if (!Files.getOwner(ours).getName().equals("root")) {
      return Path.of("/usr");
    }
    var users = ours.getFileSystem().getUserPrincipalLookupService();
    return Files.setOwner(ours, users.lookupPrincipalByName("nobody"));
  }

  @Test
  void a_home_that_is_open_to_others_gets_no_build() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    var home = Files.createDirectory(temp.resolve("open"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));

    var result = box.run(Map.of("ERRAND_HOME", home.toString()), box.errand(), "ls");

    assertThat(result.status()).isEqualTo(4);
    assertThat(result.err()).contains("chmod 700 " + home);
    assertThat(home.resolve("builds")).doesNotExist();
  }

  @Test
  void a_changed_source_is_built_again_unless_that_is_switched_off() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    box.run(Map.of(), box.errand(), "ls");
    var source = box.tree().resolve("core/src/main/java/New.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");

    assertThat(box.run(Map.of("ERRAND_NO_BUILD", "1"), box.errand(), "ls").err()).isEmpty();
    assertThat(box.run(Map.of(), box.errand(), "ls").err()).contains("building");
  }

  @Test
  void caches_are_used_as_soon_as_they_are_made_and_replaced_by_newer_ones() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    var without = box.run(Map.of(), box.errand(), "ls");
    var caches = Files.createDirectories(box.tree().resolve("target/dist/aot"));
    Files.writeString(caches.resolve("cli.aot"), "first");
    var with = box.run(Map.of(), box.errand(), "ls");
    Files.delete(caches.resolve("cli.aot"));
    Files.writeString(caches.resolve("cli.aot"), "second");
    Files.setLastModifiedTime(
        caches.resolve("cli.aot"), FileTime.from(Instant.now().plusSeconds(10)));
    box.run(Map.of(), box.errand(), "ls");

    var installed = box.installed().resolve("aot/cli.aot");
    assertThat(without.out()).doesNotContain("-XX:AOT");
    assertThat(with.out()).contains("-XX:AOTCache=" + installed);
    assertThat(installed).hasContent("second");
  }

  @Test
  void a_build_is_installed_for_its_owner_alone_under_its_digest() throws Exception {
    var jdk = box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();

    box.run(Map.of(), box.errand(), "ls");

    assertThat(box.installed()).isDirectory();
    assertThat(box.installed().resolve("java")).hasContent(jdk + "/bin/java");
    for (var folder : List.of(box.home(), box.home().resolve("builds"), box.installed())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void an_installed_build_with_a_cut_file_is_copied_anew() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    box.run(Map.of(), box.errand(), "ls");
    var jar = cut(box.installed());

    var mended = box.run(Map.of(), box.errand(), "ls");
    var next = box.run(Map.of(), box.errand(), "ls");

    assertThat(mended.status()).isZero();
    assertThat(mended.err()).contains(box.digest() + " was damaged and is copied anew");
    assertThat(jar).hasContent("x\n");
    assertThat(next.err()).isEmpty();
    assertThat(box.home().resolve("builds").toFile().list()).hasSize(1);
  }

  @Test
  void nothing_is_installed_through_a_link() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    Files.createDirectories(box.home());
    var foreign = Files.createDirectory(temp.resolve("foreign"));
    var link = Files.createSymbolicLink(box.home().resolve("builds"), foreign);

    var refused = box.run(Map.of(), box.errand(), "ls");

    assertThat(refused.status()).isEqualTo(4);
    assertThat(refused.err()).contains(link + " is a link; replace it with its target");
    assertThat(foreign).isEmptyDirectory();
  }

  @Test
  void where_the_build_itself_has_a_cut_file_a_sentence_says_what_to_do() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    box.run(Map.of(), box.errand(), "ls");
    cut(box.installed());
    cut(box.tree().resolve("target/dist"));

    var refused = box.run(Map.of(), box.errand(), "ls");

    assertThat(refused.status()).isEqualTo(4);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("is damaged", "make build").hasLineCount(1);
  }

  /** At a time that differs however coarse the times of files are. */
  private static Path cut(Path build) throws IOException {
    var jar = build.resolve("lib/x.jar");
    Files.writeString(jar, "");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(1)));
    return jar;
  }

  @Test
  void two_first_uses_at_once_build_once() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();

    var one = box.start(Map.of(), box.errand(), "one");
    var other = box.start(Map.of(), box.errand(), "other");

    assertThat(box.finish(one).status()).isZero();
    assertThat(box.finish(other).status()).isZero();
    assertThat(box.tools().resolve("builds")).hasContent("built\n");
    assertThat(box.home().resolve("builds")).isDirectoryContaining("glob:**/" + box.digest());
    assertThat(box.home().resolve("builds").toFile().list()).hasSize(1);
  }

  @Test
  void a_failed_build_shows_its_errors_and_where_the_rest_is() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.tool("mvn", "echo '[INFO] noise'; echo '[ERROR] X.java: a bad line'; exit 1");

    var result = box.run(Map.of(), box.errand(), "ls");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("a bad line", box.tree().resolve("target/build.log").toString())
        .doesNotContain("noise");
  }

  @Test
  void without_maven_the_message_says_so() throws Exception {
    box.jdk("jdk-25", "25.0.3");

    var result = box.run(Map.of(), box.errand(), "ls");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("Maven is needed");
  }

  @Test
  void a_daemon_and_a_host_forget_the_task_that_started_them() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    var inside = Map.of("ERRAND_TASK_ID", "t", "ERRAND_SESSION_ID", "s", "ERRAND_X", "a\nb");

    var daemon = box.run(inside, box.errand(), "serve").out();
    var host = box.run(inside, box.errand(), "host").out();
    var command = box.run(inside, box.errand(), "ls").out();

    assertThat(daemon).contains("dev.errand.daemon.Main\n", "env: ERRAND_HOME=");
    assertThat(host).contains("dev.errand.host.HostMain\n", "-XX:-MaxFDLimit");
    assertThat(daemon + host).doesNotContain("ERRAND_TASK_ID", "ERRAND_SESSION_ID", "ERRAND_X");
    assertThat(command).contains("env: ERRAND_TASK_ID=t", "env: ERRAND_SESSION_ID=s");
  }

  @Test
  void a_daemon_started_in_the_background_leads_a_session() throws Exception {
    box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    box.tool("setsid", "echo 'in a new session'; exec \"$@\"");

    assertThat(box.run(Map.of("ERRAND_DETACH", "1"), box.errand(), "serve").out())
        .startsWith("in a new session\n");
    assertThat(box.run(Map.of(), box.errand(), "serve").out()).doesNotContain("session");
    assertThat(box.run(Map.of("ERRAND_DETACH", "1"), box.errand(), "ls").out())
        .doesNotContain("session");
  }

  @Test
  void an_installed_build_outlives_the_jdk_that_it_was_installed_with() throws Exception {
    var first = box.jdk("jdk-25", "25.0.3");
    box.mavenThatBuilds();
    box.run(Map.of(), box.errand(), "ls");
    Files.delete(first.resolve("bin/java"));
    box.jdk("jdk-26", "26.0.1");

    assertThat(box.run(Map.of(), box.errand(), "ls").out()).contains("dev.errand.cli.Main");
  }
}
