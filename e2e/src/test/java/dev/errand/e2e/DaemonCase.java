package dev.errand.e2e;

import dev.errand.wire.client.ErrandClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One daemon with default settings for all tests of a class, and a client of it. */
abstract class DaemonCase {
  static Sandbox sandbox;
  static ErrandClient client;

  @BeforeAll
  static void start_a_daemon() throws Exception {
    sandbox = Sandbox.create();
    sandbox.serve();
    client = sandbox.client();
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    client.close();
    sandbox.close();
  }
}
