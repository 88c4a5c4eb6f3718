package dev.errand.e2e;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One name, one meaning: two top-level types of the program do not share a simple name. */
final class TypeNamesTest {
  private static final String SOURCES = "src/main/java";

  /** Names that several packages use for the same thing, each with the reason. */
  private static final Map<String, String> SHARED =
      Map.of(
          "Main", "the program of a module",
          "CancelTool", "the same verb, in two families of tools",
          "ListTool", "the same verb, in two families of tools",
          "SpawnTool", "the same verb, in two families of tools");

  @Test
  void no_two_types_share_a_name() {
    var shared = shared();
    shared.keySet().removeAll(SHARED.keySet());

    assertThat(shared).as("name one of them for what is special about it").isEmpty();
  }

  @Test
  void every_exception_is_needed() {
    var needed = shared().keySet();

    assertThat(SHARED.keySet()).as("take the others out").isSubsetOf(needed);
  }

  /** The packages of each simple name that occurs in more than one. */
  private static Map<String, List<String>> shared() {
    var places =
        sources()
            .collect(
                groupingBy(
                    it -> it.getFileName().toString().replace(".java", ""),
                    TreeMap::new,
                    mapping(TypeNamesTest::place, toList())));
    assertThat(places).hasSizeGreaterThan(500);
    places.values().removeIf(it -> it.size() == 1);
    return places;
  }

  /** A file has one top-level type, which the compiler holds to the name of the file. */
  private static Stream<Path> sources() {
    return Checkout.modules().stream()
        .flatMap(it -> Checkout.filesBelow(it.resolve(SOURCES)).stream())
        .filter(it -> it.toString().endsWith(".java"))
        .filter(it -> !it.endsWith("package-info.java") && !it.endsWith("module-info.java"));
  }

  private static String place(Path source) {
    return Checkout.ROOT.relativize(source.getParent()).toString();
  }
}
