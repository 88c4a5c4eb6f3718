package dev.errand.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kernel's tables say which socket listens, and a process's descriptors whose it is. */
final class ListeningSocketTest {
  private static final String TABLE =
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0000000000000000 100 0 0 10 0
         1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 42 1 0000000000000000 100 0 0 10 0
         2: 0100007F:A1B2 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 43 1 0000000000000000 20 4 30 10 -1
         3: 0100007F:1F90 0100007F:A1B2 01 00000000:00000000 00:00000000 00000000  1000        0 44 1 0000000000000000 20 4 30 10 -1
      """;

  private static final String TABLE_6 =
      """
        sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 45 1 0000000000000000 100 0 0 10 0
         1: B80D0120000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 46 1 0000000000000000 100 0 0 10 0
      """;

  @Test
  void only_sockets_that_listen_are_found() {
    assertThat(ListeningSocket.parse(TABLE))
        .containsExactly(
            new ListeningSocket(8080, 41, "127.0.0.1:8080"),
            new ListeningSocket(80, 42, "0.0.0.0:80"));
    assertThat(ListeningSocket.parse(TABLE_6))
        .containsExactly(
            new ListeningSocket(8080, 45, "[0:0:0:0:0:0:0:1]:8080"),
            new ListeningSocket(80, 46, "[2001:db8:0:0:0:0:0:1]:80"));
    assertThat(ListeningSocket.parse("")).isEmpty();
  }

  @Test
  void a_socket_takes_connections_to_its_own_address_and_to_all_where_it_is_bound_to_all() {
    var four = InetAddress.ofLiteral("127.0.0.1");
    var other = InetAddress.ofLiteral("127.0.0.2");
    var six = InetAddress.ofLiteral("::1");

    assertThat(accepted("127.0.0.1:80", four, other, six)).containsExactly(four);
    assertThat(accepted("0.0.0.0:80", four, other, six)).containsExactly(four, other);
    assertThat(accepted("[0:0:0:0:0:0:0:1]:80", four, other, six)).containsExactly(six);
    assertThat(accepted("[0:0:0:0:0:0:0:0]:80", four, other, six))
        .containsExactly(four, other, six);
  }

  private static List<InetAddress> accepted(String bound, InetAddress... targets) {
    var socket = new ListeningSocket(80, 1, bound);
    return Stream.of(targets).filter(socket::accepts).toList();
  }

  @Test
  void a_socket_is_open_in_the_process_that_opened_it_until_it_is_closed() throws IOException {
    var own = ProcessHandle.current().pid();
    ListeningSocket.Descriptor descriptor;
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var sockets = ListeningSocket.seenBy(own).getOrDefault(server.getLocalPort(), List.of());

      assertThat(sockets).hasSize(1);
      assertThat(sockets.getFirst().address()).contains("127.0.0.1:" + server.getLocalPort());
      var open = ListeningSocket.openIn(own, Set.of(sockets.getFirst().inode()));
      assertThat(open).hasSize(1);
      descriptor = open.getFirst();
      assertThat(descriptor.isOpen()).isTrue();
      assertThat(ListeningSocket.openIn(own, Set.of())).isEmpty();
    }
    assertThat(descriptor.isOpen()).isFalse();
  }
}
