package dev.errand.core;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds core to values and decisions: no clock, no chance, no threads, no way to the world.
 *
 * <p>It reads the class files and not the sources, so that a fully qualified name hides nothing.
 */
final class CorePurityTest {
  /** Types that reach the world, wherever they are named: called, held, thrown or returned. */
  private static final Pattern IMPURE_TYPE =
      Pattern.compile(
          "java/(?:io|net|nio/file|nio/channels)/[\\w/$]+"
              + "|java/lang/(?:Process|Thread)[\\w$]*"
              + "|java/lang/Runtime\\b"
              + "|java/util/(?:Random|SplittableRandom|Timer)\\b"
              + "|java/util/concurrent/ThreadLocalRandom"
              + "|java/security/SecureRandom");

  /**
   * Only marks a type and does nothing; the compiler names it where it finds a common supertype.
   */
  private static final Set<String> HARMLESS = Set.of("java/io/Serializable");

  /** Calls that read a clock or draw at random, on types that are themselves welcome. */
  private static final Pattern IMPURE_CALL =
      Pattern.compile(
          "java/time/[\\w/]+\\.now"
              + "|java/time/(?:Clock|InstantSource)\\.(?:system|tick)\\w*"
              + "|java/lang/System\\.(?:currentTimeMillis|nanoTime|getenv|getProperty|in|out|err)"
              + "|java/lang/Math\\.random"
              + "|java/util/UUID\\.randomUUID");

  @Test
  void core_names_nothing_that_reaches_the_world() throws IOException {
    var impurities =
        classFiles()
            .flatMap(it -> impurities(it).stream().map(found -> typeName(it) + " uses " + found))
            .collect(joining("\n"));

    assertThat(impurities)
        .as("core decides from what it is given; time, chance and I/O come in with a command")
        .isEmpty();
  }

  @Test
  void core_has_class_files_to_look_at() throws IOException {
    assertThat(classFiles().map(CorePurityTest::typeName)).contains(TaskId.class.getName());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java/time/Instant.now",
        "java/util/UUID.randomUUID",
        "java/io/File",
        "java/io/UncheckedIOException",
        "java/lang/Thread",
        "java/lang/ThreadLocal",
        "java/lang/ProcessBuilder",
        "java/lang/System.nanoTime"
      })
  void the_check_sees_what_it_must_not_miss(String impurity) throws URISyntaxException {
    var file = classesOf(Impure.class).resolve(Impure.class.getName().replace('.', '/') + ".class");

    assertThat(impurities(file)).contains(impurity);
  }

  @Test
  void the_check_leaves_literals_and_harmless_types_alone() throws URISyntaxException {
    var file = classesOf(Pure.class).resolve(Pure.class.getName().replace('.', '/') + ".class");

    assertThat(impurities(file)).isEmpty();
  }

  private static Stream<Path> classFiles() throws IOException {
    try (var files = Files.walk(classesOf(TaskId.class))) {
      return files.filter(it -> it.toString().endsWith(".class")).sorted().toList().stream();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path classesOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String typeName(Path classFile) {
    return parse(classFile).thisClass().asInternalName().replace('/', '.');
  }

  private static ClassModel parse(Path classFile) {
    try {
      return ClassFile.of().parse(classFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> impurities(Path classFile) {
    var entries = entries(parse(classFile));
    var found = new TreeSet<String>();
    for (var text : namesAndDescriptors(entries)) {
      IMPURE_TYPE.matcher(text).results().map(it -> it.group()).forEach(found::add);
    }
    for (var entry : entries) {
      if (entry instanceof MemberRefEntry member && IMPURE_CALL.matcher(call(member)).matches()) {
        found.add(call(member));
      }
    }
    found.removeAll(HARMLESS);
    return found;
  }

  private static List<PoolEntry> entries(ClassModel type) {
    return StreamSupport.stream(type.constantPool().spliterator(), false).toList();
  }

  /** Every text of the class but its string literals, which name nothing. */
  private static Set<String> namesAndDescriptors(List<PoolEntry> entries) {
    var literals =
        entries.stream()
            .filter(StringEntry.class::isInstance)
            .map(it -> ((StringEntry) it).utf8().index())
            .collect(Collectors.toSet());
    return entries.stream()
        .filter(it -> it instanceof Utf8Entry && !literals.contains(it.index()))
        .map(it -> ((Utf8Entry) it).stringValue())
        .collect(Collectors.toSet());
  }

  private static String call(MemberRefEntry member) {
    return member.owner().asInternalName() + "." + member.name().stringValue();
  }

  /** What core must never look like. */
  record Impure(File file, ProcessBuilder builder, UUID id, Instant time, long nanos) {
    static final ThreadLocal<String> HELD = new ThreadLocal<>();

    static Impure make() {
      if (Thread.currentThread().isInterrupted()) {
        throw new UncheckedIOException(new IOException("x"));
      }
      return new Impure(
          new File("x"), new ProcessBuilder(), UUID.randomUUID(), Instant.now(), System.nanoTime());
    }
  }

  /** What core may well look like. */
  record Pure(UUID id, Instant time) {
    String text() {
      if (id.version() != 4) {
        throw new RuntimeException("not at random");
      }
      return "java/io/File" + id + time;
    }
  }
}
