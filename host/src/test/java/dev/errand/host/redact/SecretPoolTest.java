package dev.errand.host.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What finds secrets takes a bounded part of the host's memory. */
final class SecretPoolTest {
  private final SecretPool pool = new SecretPool();

  @Test
  void tasks_with_the_same_secrets_share_what_finds_them() {
    var one = pool.lease(Map.of("KEY", "hunter2-and-more")).orElseThrow();
    var two = pool.lease(Map.of("KEY", "hunter2-and-more")).orElseThrow();

    assertThat(two.secrets()).isSameAs(one.secrets());
    one.close();
    one.close();
    assertThat(pool.lease(Map.of("KEY", "hunter2-and-more")).orElseThrow().secrets())
        .isSameAs(two.secrets());
  }

  @Test
  void where_there_is_no_room_for_more_others_have_to_end_first() {
    var random = new Random(1);
    var leases = new ArrayList<SecretPool.Lease>();
    for (var lease = pool.lease(large(random));
        lease.isPresent();
        lease = pool.lease(large(random))) {
      leases.add(lease.get());
      assertThat(leases).hasSizeLessThan(100);
    }

    leases.removeFirst().close();

    assertThat(pool.lease(large(random))).isPresent();
    assertThat(pool.lease(Map.of())).isPresent();
  }

  private static Map<String, String> large(Random random) {
    var value = new StringBuilder();
    for (var i = 0; i < 10_000; i++) {
      value.append("ö<\"/é&".charAt(random.nextInt(6)));
    }
    return Map.of("KEY", value.toString());
  }
}
