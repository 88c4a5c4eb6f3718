package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who uses whom is what each package-info says, no more and no less.
 *
 * <p>Known gap: a constant that the compiler folds in leaves no trace in the class file, so a
 * package that uses only constants of another one does not count as using it.
 */
final class LayoutTest {
  private static final Set<String> DOORS_MAY_USE =
      Set.of("core.error", "core.task", "core.time", "daemon.config", "daemon.tool", "daemon.verb");

  /** Of {@code daemon.output} tools have the form of texts and times, and no store. */
  private static final Set<String> CLOSED_TO_TOOLS =
      Set.of(
          "core.engine",
          "core.journal",
          "daemon.access",
          "daemon.feed",
          "daemon.inbox",
          "daemon.screen",
          "daemon.task");

  @ParameterizedTest
  @MethodSource("packages")
  void a_package_says_what_it_is_and_is_null_marked(OwnPackage it) {
    assertThat(it.packageInfo()).as("every package opens with a package-info").exists();
    assertThat(Checkout.read(it.packageInfo()))
        .as("package-info of %s", it)
        .contains("/**", "@NullMarked");
    assertThat(it.allowed())
        .as("%s needs a line 'May depend on: core.error, core.task.' (or 'nothing.')", it)
        .isPresent();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void a_package_uses_just_what_its_package_info_allows(OwnPackage it) {
    var allowed = it.allowed().orElseGet(TreeSet::new);
    var used = it.used();

    assertThat(without(used, allowed))
        .as("%s uses these, and 'May depend on:' in %s does not allow them", it, place(it))
        .isEmpty();
    assertThat(without(allowed, used))
        .as("%s may use these by %s, and does not: take them out", it, place(it))
        .isEmpty();
  }

  /**
   * A door turns bytes into requests of verbs, and their answers into bytes: it cannot act in any
   * other way, so that a new one forgets no check.
   */
  @Test
  void a_door_knows_verbs_and_tools_and_nothing_behind_them() {
    var doors = packagesBelow("daemon.surface");

    assertThat(doors).isNotEmpty();
    for (var door : doors) {
      var behind = door.used();
      behind.removeIf(it ->
          DOORS_MAY_USE.contains(it) || it.startsWith("wire.") || it.startsWith("daemon.surface."));
      assertThat(behind).as("%s uses these, and only verbs may", door).isEmpty();
    }
  }

  /**
   * A tool is made of verbs: it reaches the tasks of its session only because it has no other way
   * to any task.
   */
  @Test
  void a_tool_is_made_of_verbs_and_reads_no_record_by_itself() {
    var tools = packagesBelow("daemon.tool");

    assertThat(tools).hasSizeGreaterThan(1);
    for (var tool : tools) {
      var behind = tool.used();
      behind.retainAll(CLOSED_TO_TOOLS);
      assertThat(behind).as("%s uses these, and only verbs may", tool).isEmpty();
    }
  }

  /** The package of that name, and those in it. */
  private static List<OwnPackage> packagesBelow(String name) {
    return packages().stream()
        .filter(it -> it.name().equals(name) || it.name().startsWith(name + "."))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void a_package_bears_the_name_of_its_module(OwnPackage it) {
    var module = String.valueOf(it.module().getFileName());

    assertThat(it.name()).matches(name -> name.equals(module) || name.startsWith(module + "."));
  }

  @Test
  void the_line_is_read_over_its_breaks() {
    var text =
        """
        /**
         * What it is.
         *
         * <p>May depend on: core.error,
         * core.task.
         */
        """;

    assertThat(OwnPackage.allowedBy(text))
        .contains(new TreeSet<>(List.of("core.error", "core.task")));
  }

  @Test
  void nothing_means_nothing_and_silence_is_no_answer() {
    assertThat(OwnPackage.allowedBy(" * <p>May depend on: nothing.\n */"))
        .contains(new TreeSet<>());
    assertThat(OwnPackage.allowedBy(" * What it is.\n */")).isEqualTo(Optional.empty());
  }

  private static Path place(OwnPackage it) {
    return Checkout.ROOT.relativize(it.packageInfo());
  }

  private static SortedSet<String> without(SortedSet<String> all, SortedSet<String> some) {
    var rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  static List<OwnPackage> packages() {
    return OwnPackage.all();
  }
}
