package dev.errand.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.daemon.time.SystemTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Whoever measures time or waits for it in the daemon does so by the clock that it was given, so
 * that a test can move it. Only {@link SystemTime} reads the machine's.
 *
 * <p>It reads the class files and not the sources, so that a fully qualified name hides nothing.
 */
final class RealClockTest {
  /** Calls of the JDK that read a clock of the machine or wait for a time by it. */
  private static final Pattern BY_REAL_TIME =
      Pattern.compile(
          "java/lang/System\\.(?:nanoTime|currentTimeMillis).*"
              + "|java/time/[\\w/]+\\.now\\(.*"
              + "|java/time/(?:Clock|InstantSource)\\.(?:system|tick).*"
              + "|java/util/Date\\.<init>\\(\\)V"
              + "|java/lang/(?:Thread\\.(?:sleep|join)|Process\\.waitFor)\\((?:J|Ljava/time/Duration;).*"
              + "|java/lang/Object\\.wait\\(J.*"
              + "|java/util/concurrent/TimeUnit\\.(?:sleep|timedJoin|timedWait)\\(.*"
              + "|java/util/concurrent/locks/LockSupport\\.park(?:Nanos|Until)\\(.*"
              + "|java/util/concurrent/locks/Condition\\.await(?:Nanos|Until)\\(.*"
              + "|java/util/(?:Timer|concurrent/ScheduledExecutorService)\\..*"
              + "|java/[\\w/$]+\\.(?!<init>)\\w+\\(.*JLjava/util/concurrent/TimeUnit;.*");

  @Test
  void only_one_class_reads_the_clock_of_the_machine_or_waits_by_it() throws Exception {
    var found = new TreeMap<String, Set<String>>();
    try (var files = Files.walk(classesOf(SystemTime.class))) {
      for (var it : files.filter(file -> file.toString().endsWith(".class")).toList()) {
        var calls = callsByRealTime(it);
        if (!calls.isEmpty()) {
          found.computeIfAbsent(name(it), _ -> new TreeSet<>()).addAll(calls);
        }
      }
    }

    assertThat(found.remove("time.SystemTime")).as("the check sees what there is").isNotEmpty();
    assertThat(found).as("take a core.time.Time and ask that").isEmpty();
  }

  @Test
  void the_check_sees_what_it_must_not_miss() throws Exception {
    var file =
        classesOf(Waiting.class).resolve(Waiting.class.getName().replace('.', '/') + ".class");

    assertThat(callsByRealTime(file))
        .containsExactlyInAnyOrder(
            "System.nanoTime",
            "System.currentTimeMillis",
            "Instant.now",
            "Clock.systemUTC",
            "InstantSource.system",
            "Date.<init>",
            "Thread.sleep",
            "Thread.join",
            "TimeUnit.sleep",
            "LockSupport.parkNanos",
            "Condition.awaitNanos",
            "CountDownLatch.await",
            "Process.waitFor");
  }

  private static Path classesOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Set<String> callsByRealTime(Path classFile) {
    var found = new TreeSet<String>();
    try {
      var pool = ClassFile.of().parse(classFile).constantPool();
      StreamSupport.stream(pool.spliterator(), false)
          .filter(MemberRefEntry.class::isInstance)
          .map(MemberRefEntry.class::cast)
          .filter(it -> BY_REAL_TIME.matcher(call(it) + it.type().stringValue()).matches())
          .forEach(it -> found.add(call(it).replaceAll(".*/", "")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static String call(MemberRefEntry member) {
    return member.owner().asInternalName() + "." + member.name().stringValue();
  }

  /** That of the file it was written in, within the daemon. */
  private static String name(Path classFile) throws URISyntaxException {
    var path = classesOf(SystemTime.class).relativize(classFile).toString();
    return path.replace('/', '.').replaceAll("^dev\\.errand\\.daemon\\.|\\$.*|\\.class$", "");
  }

  /** What nobody must look like. */
  record Waiting(Process process, Condition news, CountDownLatch latch, Thread thread) {
    @SuppressWarnings("WaitNotInLoop")
    long waitInAllWays() throws InterruptedException {
      Thread.sleep(1);
      TimeUnit.MILLISECONDS.sleep(1);
      LockSupport.parkNanos(1);
      var in = process.waitFor(1, TimeUnit.SECONDS) && latch.await(1, TimeUnit.SECONDS);
      return in && thread.join(Duration.ofMillis(1)) ? System.nanoTime() : news.awaitNanos(1);
    }

    @SuppressWarnings("JavaUtilDate")
    List<Object> readInAllWays() {
      return List.of(
          System.currentTimeMillis(),
          Instant.now(),
          Clock.systemUTC(),
          InstantSource.system(),
          new Date());
    }

    /** Without a time, it waits for an event. */
    void waitForEvents() throws InterruptedException {
      latch.await();
      thread.join();
    }
  }
}
