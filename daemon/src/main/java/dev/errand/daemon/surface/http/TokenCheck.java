package dev.errand.daemon.surface.http;

import java.util.Optional;

/** Knows which tokens open the TCP door; asked anew each time, so a change counts at once. */
public interface TokenCheck {

  /**
   * The name under which this token was given out; empty for a token of nobody. It must not be told
   * by time how near a wrong one comes.
   */
  Optional<String> nameOf(String token);
}
