package dev.errand.core.engine;

/** Is told of a bug in a listener, which missed what it was told; must not fail itself. */
public interface ListenerFailure {
  void failed(CommitListener listener, Throwable bug);
}
