package dev.errand.core.engine;

/** Creates ids that sort by creation time. The core does not define how. */
public interface Ids {
  String next();
}
