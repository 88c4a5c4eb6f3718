package dev.errand.e2e;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One package of the program, as its class files and its package-info show it.
 *
 * @param module the folder of the module that holds it
 * @param name the name below {@code dev.errand}, such as {@code core.task}
 */
record OwnPackage(Path module, String name) {
  private static final Path ROOT_PACKAGE = Path.of("dev", "errand");

  /** A type of ours in a name, a descriptor or a signature; the group is its package. */
  private static final Pattern OWN_TYPE = Pattern.compile("dev/errand/((?:[a-z0-9_]+/)+)[A-Z]");

  private static final Pattern ALLOWED_LINE =
      Pattern.compile("May depend on:\\s*([a-z0-9_.,\\s]*?)\\.(?:\\s|$)");

  /** Every package of every module that has at least one class. */
  static List<OwnPackage> all() {
    return Checkout.modules().stream().flatMap(OwnPackage::in).toList();
  }

  private static Stream<OwnPackage> in(Path module) {
    var root = module.resolve("target/classes").resolve(ROOT_PACKAGE);
    return Checkout.filesBelow(root).stream()
        .filter(OwnPackage::isClass)
        .map(it -> root.relativize(it.getParent()).toString().replace('/', '.'))
        .distinct()
        .map(it -> new OwnPackage(module, it));
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class");
  }

  Path packageInfo() {
    return below("src/main/java").resolve("package-info.java");
  }

  private Path below(String root) {
    return module.resolve(root).resolve(ROOT_PACKAGE).resolve(name.replace('.', '/'));
  }

  /** What the package-info allows, or nothing where it has no such line. */
  Optional<SortedSet<String>> allowed() {
    if (!Files.exists(packageInfo())) {
      return Optional.empty();
    }
    return allowedBy(Checkout.read(packageInfo()));
  }

  static Optional<SortedSet<String>> allowedBy(String packageInfo) {
    var text = packageInfo.replaceAll("(?m)^ \\* ?", "");
    var line = ALLOWED_LINE.matcher(text);
    if (!line.find()) {
      return Optional.empty();
    }
    return Optional.of(
        Stream.of(line.group(1).split(",", -1))
            .map(String::strip)
            .filter(it -> !it.equals("nothing"))
            .collect(toCollection(TreeSet::new)));
  }

  /** The other packages of ours that its class files name. */
  SortedSet<String> used() {
    try (var files = Files.list(below("target/classes"))) {
      return files
          .filter(OwnPackage::isClass)
          .flatMap(OwnPackage::names)
          .flatMap(it -> OWN_TYPE.matcher(it).results())
          .map(it -> it.group(1))
          .map(it -> it.substring(0, it.length() - 1).replace('/', '.'))
          .filter(it -> !it.equals(name))
          .collect(toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every text of a class but its string literals, which may look like a type and are none. */
  private static Stream<String> names(Path classFile) {
    try {
      var pool = ClassFile.of().parse(classFile).constantPool();
      var entries = StreamSupport.stream(pool.spliterator(), false).toList();
      var literals =
          entries.stream()
              .filter(StringEntry.class::isInstance)
              .map(it -> ((StringEntry) it).utf8().index())
              .collect(toSet());
      return entries.stream()
          .filter(it -> it instanceof Utf8Entry && !literals.contains(it.index()))
          .map(it -> ((Utf8Entry) it).stringValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
