package dev.errand.host.linux;

import java.io.IOException;

/** A kernel call failed; the error number says how. */
public final class KernelException extends IOException {
  private final int errno;

  public KernelException(String call, int errno) {
    super(call + ": " + Errno.words(errno));
    this.errno = errno;
  }

  public int errno() {
    return errno;
  }
}
