package dev.errand.host.process;

/**
 * A process that was just started, and our ends of what connects us to it.
 *
 * @param stdin -1 when it has no input
 */
record Launched(long pid, int pidfd, int stdin, int stdout, int stderr) {
  int descriptors() {
    return stdin < 0 ? 3 : 4;
  }
}
