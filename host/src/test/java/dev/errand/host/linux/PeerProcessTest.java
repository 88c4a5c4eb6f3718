package dev.errand.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PeerProcessTest {
  @TempDir Path folder;

  @Test
  void the_peer_of_a_unix_socket_is_known_by_its_pid() throws IOException {
    var address = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(address);
      try (var _ = SocketChannel.open(address);
          var accepted = listener.accept()) {
        assertThat(PeerProcess.known()).isTrue();
        assertThat(PeerProcess.pid(accepted)).hasValue(ProcessHandle.current().pid());
      }
    }
  }
}
