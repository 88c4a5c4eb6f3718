package dev.errand.bench;

/** One program that measures something. */
interface Bench {

  /** What it finds out, in one line. */
  String what();

  /** Measures and reports; a figure that misses its target is told, not thrown. */
  void run(Report report) throws Exception;
}
