package dev.errand.core.task;

/** A TCP port that a process of a task listens on; the address has the port, as in 0.0.0.0:80. */
public record ListeningPort(int port, String address) {}
