package dev.errand.core.engine;

/**
 * Makes ids that sort by the time of their making; where they come from is not the core's matter.
 */
public interface Ids {
  String next();
}
