package dev.errand.e2e;

import dev.errand.wire.client.ErrandClient;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;

/** One daemon for all tests of a class, and a client of it. */
abstract class DaemonCase {
  static Sandbox sandbox;
  static ErrandClient client;

  /** The config.toml of the daemon of this class, where the defaults will not do. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  @interface Settings {
    String value();
  }

  @BeforeAll
  static void start_a_daemon(TestInfo info) throws Exception {
    var settings = info.getTestClass().map(it -> it.getAnnotation(Settings.class));
    sandbox = Sandbox.create(settings.map(Settings::value).orElse(""));
    sandbox.serve();
    client = sandbox.client();
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    client.close();
    sandbox.close();
  }
}
