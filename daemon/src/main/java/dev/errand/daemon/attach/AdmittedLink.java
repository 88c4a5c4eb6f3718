package dev.errand.daemon.attach;

import dev.errand.wire.http.CloseCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** A link that closes when its client loses the right to it. */
final class AdmittedLink implements Link {
  private final Link link;
  private final BooleanSupplier admitted;

  AdmittedLink(Link link, BooleanSupplier admitted) {
    this.link = link;
    this.admitted = admitted;
  }

  /** Closes a client whose token was revoked, even while there is nothing to send to it. */
  void check() throws IOException {
    if (!admitted.getAsBoolean()) {
      close(CloseCode.POLICY, "the token was revoked");
      throw new IOException("the client's token was revoked");
    }
  }

  @Override
  public void binary(ByteBuffer message) throws IOException, InterruptedException {
    check();
    link.binary(message);
  }

  @Override
  public void text(byte[] message) throws IOException, InterruptedException {
    check();
    link.text(message);
  }

  @Override
  public void ping() throws IOException, InterruptedException {
    link.ping();
  }

  @Override
  public long silentNanos() {
    return link.silentNanos();
  }

  @Override
  public boolean isOpen() {
    return link.isOpen();
  }

  @Override
  public void close(int status, String reason) {
    link.close(status, reason);
  }
}
