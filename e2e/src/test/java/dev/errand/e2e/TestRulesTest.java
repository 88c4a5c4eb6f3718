package dev.errand.e2e;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/**
 * A test waits for what happens and not for time, it comes to its end, and where it is skipped it
 * says what is missing. Known gap: an assertion that an empty loop never reaches.
 */
final class TestRulesTest {
  /** Calls that let time pass, whatever happens meanwhile. */
  private static final Pattern PAUSE =
      Pattern.compile(
          "java/lang/Thread\\.sleep"
              + "|java/util/concurrent/TimeUnit\\.sleep"
              + "|java/util/concurrent/locks/LockSupport\\.park(?:Nanos|Until)"
              + "|org/awaitility/core/ConditionFactory\\.during");

  private static final Pattern ASSUMPTION =
      Pattern.compile("org/(?:junit/jupiter/api|assertj/core/api)/Assumptions\\.(?!<).*");

  /** Where time itself is what a test is about, or a load has its pace; each with its reason. */
  private static final Map<String, String> PAUSES =
      Map.ofEntries(
          entry("daemon.surface.http.AttachClientTest", "paces the writer, the keys and the cuts"),
          entry("e2e.DaemonAwayTest", "the absence of the daemon is what is tested"),
          entry("e2e.InboxTest", "kills at random moments"),
          entry("e2e.KillsUnderLoadTest", "kills at random moments"),
          entry("e2e.PortWatchersTest", "measures processor time over a while"),
          entry("e2e.RacesTest", "spreads the two sides of each race"),
          entry("e2e.StandstillTest", "standing still is a matter of time"),
          entry("e2e.TestRulesTest$Careless", "shows what this check must find"),
          entry("e2e.Torture", "spreads faults and requests over its time"),
          entry(
              "testkit.JournalOrderClaims",
              "lets writers run beside readers that ask again and again"),
          entry("testkit.RealClockSuite$Waiting", "shows what the check of clocks must find"));

  private static Stream<ClassModel> testClasses() {
    return Checkout.modules().stream()
        .flatMap(it ->
            Stream.of("test-classes/dev/errand", "classes/dev/errand/testkit")
                .map(it.resolve("target")::resolve))
        .flatMap(it -> Checkout.filesBelow(it).stream())
        .filter(it -> it.toString().endsWith(".class"))
        .map(TestRulesTest::parsed);
  }

  private static ClassModel parsed(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(ClassModel type) {
    return type.thisClass().asInternalName().replaceFirst("^dev/errand/", "").replace('/', '.');
  }

  @Test
  void no_test_lets_time_pass_but_those_that_are_about_time() {
    var pausing = new TreeSet<String>();
    testClasses().filter(it -> !pauses(it).isEmpty()).forEach(it -> pausing.add(name(it)));

    assertThat(pausing)
        .as("wait for a frame or a state, or name a reason")
        .isEqualTo(new TreeSet<>(PAUSES.keySet()));
  }

  private static Set<String> pauses(ClassModel type) {
    var found = new TreeSet<String>();
    calls(type)
        .filter(it -> PAUSE.matcher(it).matches())
        .forEach(it -> found.add(it.replaceAll(".*/", "")));
    return found;
  }

  private static Stream<String> calls(ClassModel type) {
    return type.methods().stream()
        .flatMap(it -> it.code().stream())
        .flatMap(TestRulesTest::calls)
        .map(TestRulesTest::text);
  }

  private static Stream<InvokeInstruction> calls(CodeModel code) {
    return StreamSupport.stream(code.spliterator(), false)
        .filter(InvokeInstruction.class::isInstance)
        .map(InvokeInstruction.class::cast);
  }

  private static String text(InvokeInstruction call) {
    return call.owner().asInternalName() + "." + call.name().stringValue();
  }

  @Test
  void no_test_returns_before_its_end() {
    assertThat(testClasses().flatMap(TestRulesTest::returningEarly))
        .as("a test that cannot go on fails, or is skipped by an assumption")
        .isEmpty();
  }

  private static Stream<String> returningEarly(ClassModel type) {
    return type.methods().stream()
        .filter(TestRulesTest::isTest)
        .filter(it -> it.code().map(TestRulesTest::returns).orElse(0L) > 1)
        .map(it -> name(type) + "." + it.methodName().stringValue());
  }

  private static boolean isTest(MethodModel method) {
    return annotations(method).anyMatch(it -> it.endsWith("Test;"));
  }

  private static Stream<String> annotations(MethodModel method) {
    return method
        .elementStream()
        .filter(RuntimeVisibleAnnotationsAttribute.class::isInstance)
        .flatMap(it -> ((RuntimeVisibleAnnotationsAttribute) it).annotations().stream())
        .map(it -> it.className().stringValue());
  }

  /** The compiler writes one for the end of a method, and one more for each in its text. */
  private static long returns(CodeModel code) {
    return StreamSupport.stream(code.spliterator(), false)
        .filter(it -> it instanceof ReturnInstruction end && end.opcode() == Opcode.RETURN)
        .count();
  }

  @Test
  void a_test_that_is_skipped_names_what_is_missing() {
    var silent =
        testClasses()
            .filter(it -> !name(it).equals("e2e.TestRulesTest$Careless"))
            .flatMap(TestRulesTest::skippedInSilence);

    assertThat(silent).isEmpty();
  }

  private static Stream<String> skippedInSilence(ClassModel type) {
    return type.methods().stream()
        .filter(
            it -> it.code().map(TestRulesTest::assumesInSilence).orElse(false) || isDisabled(it))
        .map(it -> name(type) + "." + it.methodName().stringValue());
  }

  private static boolean isDisabled(MethodModel method) {
    return annotations(method).anyMatch(it -> it.endsWith("/Disabled;"));
  }

  /** JUnit's take the reason with them, AssertJ's are given it by the next call of {@code as}. */
  private static boolean assumesInSilence(CodeModel code) {
    var unnamed = 0;
    for (var call : calls(code).toList()) {
      if (ASSUMPTION.matcher(text(call)).matches()) {
        var saysWhy =
            call.type()
                .stringValue()
                .matches("\\(.+Ljava/(?:lang/String|util/function/Supplier);\\)V");
        unnamed += saysWhy ? 0 : 1;
      } else if (call.name().equalsString("as")) {
        unnamed = Math.max(0, unnamed - 1);
      }
    }
    return unnamed > 0;
  }

  @Test
  void the_check_sees_what_it_must_not_miss() {
    var careless =
        parsed(
            Checkout.ROOT.resolve(
                "e2e/target/test-classes/"
                    + Careless.class.getName().replace('.', '/')
                    + ".class"));

    assertThat(pauses(careless))
        .containsExactly(
            "ConditionFactory.during", "LockSupport.parkNanos", "Thread.sleep", "TimeUnit.sleep");
    assertThat(
            careless.methods().stream()
                .filter(it -> it.code().map(TestRulesTest::returns).orElse(0L) > 1))
        .extracting(it -> it.methodName().stringValue())
        .containsExactly("returnEarly");
    assertThat(skippedInSilence(careless))
        .extracting(it -> it.replaceAll(".*\\.", ""))
        .containsExactlyInAnyOrder("assumeInSilence", "assumeThatInSilence", "disabled");
  }

  /** What no test may look like; nobody runs it. */
  static final class Careless {
    void pause() throws InterruptedException {
      Thread.sleep(1);
      TimeUnit.MILLISECONDS.sleep(1);
      LockSupport.parkNanos(1);
      await().during(Duration.ofMillis(1)).until(() -> true);
    }

    void returnEarly(List<String> found) {
      if (found.isEmpty()) {
        return;
      }
      assertThat(found).isNotNull();
    }

    void assumeInSilence(boolean there) {
      assumeTrue(there);
    }

    void assumeThatInSilence(String tool) {
      assumeThat(tool).isNotEmpty();
    }

    void assumeAloud(String tool, boolean there) {
      assumeTrue(there, "a tool is missing");
      assumeThat(tool).as("a tool").isNotEmpty();
    }

    @Disabled
    void disabled() {}
  }
}
