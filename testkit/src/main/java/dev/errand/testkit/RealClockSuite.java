package dev.errand.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Whoever measures time or waits for it in a module does so by the clock that it was given, so that
 * a test can move it.
 *
 * <p>It reads the class files and not the sources, so that a fully qualified name hides nothing.
 */
public abstract class RealClockSuite {
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

  /** A class in the outermost package of the module. */
  protected abstract Class<?> module();

  /** The classes that keep to the clock of the machine, within the module, and why. */
  protected abstract Map<String, String> byRealTime();

  @Test
  public void only_those_named_read_the_clock_of_the_machine_or_wait_by_it() throws Exception {
    var found = new TreeMap<String, Set<String>>();
    var classes = 0;
    try (var files = Files.walk(classesOf(module()))) {
      for (var it : files.filter(file -> file.toString().endsWith(".class")).toList()) {
        classes++;
        var calls = callsByRealTime(Files.readAllBytes(it));
        if (!calls.isEmpty()) {
          found.computeIfAbsent(name(it), _ -> new TreeSet<>()).addAll(calls);
        }
      }
    }

    assertThat(classes).as("the check has classes to look at").isPositive();
    assertThat(found.keySet())
        .as("who still needs it: %s", byRealTime())
        .containsAll(byRealTime().keySet());
    found.keySet().removeAll(byRealTime().keySet());
    assertThat(found).as("take a core.time.Time and ask that").isEmpty();
  }

  @Test
  public void the_check_sees_what_it_must_not_miss() throws Exception {
    var name = Waiting.class.getName().replaceAll(".*\\.", "") + ".class";
    byte[] bytes;
    try (var file = Objects.requireNonNull(Waiting.class.getResourceAsStream(name))) {
      bytes = file.readAllBytes();
    }

    assertThat(callsByRealTime(bytes))
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

  private static Set<String> callsByRealTime(byte[] classFile) {
    var pool = ClassFile.of().parse(classFile).constantPool();
    return StreamSupport.stream(pool.spliterator(), false)
        .filter(MemberRefEntry.class::isInstance)
        .map(MemberRefEntry.class::cast)
        .filter(it -> BY_REAL_TIME.matcher(call(it) + it.type().stringValue()).matches())
        .map(it -> call(it).replaceAll(".*/", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String call(MemberRefEntry member) {
    return member.owner().asInternalName() + "." + member.name().stringValue();
  }

  /** That of the file it was written in, within the module. */
  private String name(Path classFile) throws URISyntaxException {
    var path = classesOf(module()).relativize(classFile).toString();
    var full = path.replace('/', '.').replaceAll("\\$.*|\\.class$", "");
    return full.substring(module().getPackageName().length() + 1);
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
