package dev.errand.e2e;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A caller that knows nothing of Errand but its socket: {@code Ask SOCKET METHOD TARGET BODY}. With
 * one more word it does not wait for the answer.
 */
final class Ask {

  private Ask() {}

  /** The command that runs it, as one line for a shell. */
  static String line(Path socket, String method, String target, String body) {
    var java = Path.of(System.getProperty("java.home", ""), "bin", "java");
    var classes = Path.of(Ask.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    return "'%s' -XX:TieredStopAtLevel=1 -cp '%s' %s '%s' %s %s '%s'"
        .formatted(java, classes, Ask.class.getName(), socket, method, target, body);
  }

  /** The same for a caller that is gone before it can be answered. */
  static String lineAndGo(Path socket, String method, String target, String body) {
    return line(socket, method, target, body) + " go";
  }

  public static void main(String[] args) throws IOException {
    var body = args[3];
    var request =
        "%s %s HTTP/1.1\r\nHost: errand\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(args[1], args[2], body.length(), body);
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(args[0]))) {
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
      if (args.length > 4) {
        return;
      }
      Channels.newInputStream(channel).transferTo(System.out);
      System.out.flush();
    }
  }
}
