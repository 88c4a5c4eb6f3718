package dev.errand.daemon.home;

import java.io.IOException;

/** This home cannot be used; the message says what to do. */
public final class HomeRefused extends IOException {
  private static final long serialVersionUID = 1L;

  public HomeRefused(String message) {
    super(message);
  }
}
