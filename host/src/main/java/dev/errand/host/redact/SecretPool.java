package dev.errand.host.redact;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The secrets of all tasks of a host. Tasks with the same secrets share one automaton, and together
 * they use no more memory than the limit.
 */
public final class SecretPool {
  /** In characters of all forms, each of which takes about thirteen bytes. */
  private static final int CHARS_MAX = 3 << 20;

  private final Map<Map<String, String>, Used> known = new HashMap<>();
  private int chars;

  /** Secrets, and how many tasks use them. */
  private static final class Used {
    private final Secrets secrets;
    private int users;

    private Used(Secrets secrets) {
      this.secrets = secrets;
    }
  }

  /** Secrets that stay in memory until this is closed. */
  public interface Lease extends AutoCloseable {
    Secrets secrets();

    @Override
    void close();
  }

  /** Empty if there is no memory for them. */
  public Optional<Lease> lease(Map<String, String> values) {
    if (values.isEmpty()) {
      return Optional.of(new Kept(Map.of(), Secrets.NONE));
    }
    var key = Map.copyOf(values);
    synchronized (this) {
      var used = known.get(key);
      if (used == null) {
        used = new Used(Secrets.of(key));
        if (chars + used.secrets.chars() > CHARS_MAX) {
          return Optional.empty();
        }
        chars += used.secrets.chars();
        known.put(key, used);
      }
      used.users++;
      return Optional.of(new Kept(key, used.secrets));
    }
  }

  private synchronized void release(Map<String, String> key) {
    var used = known.get(key);
    if (used != null && --used.users == 0) {
      known.remove(key);
      chars -= used.secrets.chars();
    }
  }

  private final class Kept implements Lease {
    private final Map<String, String> key;
    private final Secrets secrets;
    private boolean closed;

    private Kept(Map<String, String> key, Secrets secrets) {
      this.key = key;
      this.secrets = secrets;
    }

    @Override
    public Secrets secrets() {
      return secrets;
    }

    @Override
    public void close() {
      synchronized (SecretPool.this) {
        if (!closed) {
          closed = true;
          release(key);
        }
      }
    }
  }

  /** Prints nothing of them. */
  @Override
  public String toString() {
    return "SecretPool";
  }
}
