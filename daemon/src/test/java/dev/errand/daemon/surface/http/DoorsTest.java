package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.daemon.config.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Unix socket lies where only its owner can reach it; the TCP door may fail alone. */
final class DoorsTest {
  @TempDir Path folder;
  private Path run;
  private Path socket;

  @BeforeEach
  void prepare() {
    run = folder.resolve("run");
    socket = run.resolve("errand.sock");
  }

  private Surface start(@Nullable String listen) throws IOException {
    return Surface.start(folder, listen, HttpSettings.Times.DEFAULTS, Config.DEFAULTS.serving());
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void the_socket_is_private_and_goes_with_the_surface() throws IOException {
    try (var surface = start(null)) {
      assertThat(mode(run)).isEqualTo("rwx------");
      assertThat(mode(socket)).isEqualTo("rw-------");
      assertThat(surface.get("/healthz").text()).isEqualTo("ok\n");
      assertThat(surface.http.tcp()).isEqualTo(new TcpListener.Shut());
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void a_socket_that_a_dead_daemon_left_is_replaced() throws IOException {
    Files.createDirectory(
        run, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();

    try (var surface = start(null)) {
      assertThat(surface.get("/healthz").status()).isEqualTo(200);
    }
  }

  @Test
  void what_is_no_socket_is_not_removed_for_one() throws IOException {
    Files.createDirectory(
        run, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    var precious = Files.createFile(folder.resolve("precious"));
    Files.createSymbolicLink(socket, precious);
    assertThatThrownBy(() -> start(null)).isInstanceOf(IOException.class);
    assertThat(precious).exists();
    assertThat(socket).isSymbolicLink();

    Files.delete(socket);
    Files.createFile(socket);
    assertThatThrownBy(() -> start(null)).hasMessageContaining("not a socket");
  }

  @Test
  void a_folder_that_others_may_enter_is_refused() throws IOException {
    Files.createDirectory(run);
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThatThrownBy(() -> start(null)).hasMessageContaining("chmod 700");
  }

  @Test
  void a_taken_port_is_a_clear_line_and_the_socket_answers() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var surface = start("127.0.0.1:" + taken.getLocalPort())) {
      assertThat(surface.http.tcp()).isInstanceOf(TcpListener.Failed.class);
      assertThat(surface.http.tcp().toString())
          .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort());
      assertThat(surface.get("/healthz").status()).isEqualTo(200);
    }
  }

  @Test
  void an_address_of_another_form_is_a_clear_line() throws IOException {
    try (var surface = start("7717")) {
      assertThat(surface.http.tcp().toString()).contains("127.0.0.1:7717");
    }
    assertThat(TcpListener.Address.parse("[::1]:0")).isEqualTo(new TcpListener.Address("::1", 0));
    assertThat(TcpListener.Address.parse("::1:80")).isNull();
    assertThat(TcpListener.Address.parse("a:99999")).isNull();
    assertThat(TcpListener.Address.parse("a:-1")).isNull();
  }

  @Test
  void only_the_owner_and_root_are_admitted() {
    assertThat(UnixListener.admits("ann", "ann")).isTrue();
    assertThat(UnixListener.admits("root", "ann")).isTrue();
    assertThat(UnixListener.admits("bob", "ann")).isFalse();
    assertThat(UnixListener.admits("", "")).isFalse();
  }
}
