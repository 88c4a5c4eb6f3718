package dev.errand.core.engine;

/**
 * Receives an exception that a listener threw; that listener missed the call. Must not throw
 * itself.
 */
public interface ListenerFailure {
  void failed(CommitListener listener, Throwable bug);
}
