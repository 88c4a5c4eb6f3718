package dev.errand.core.task;

/**
 * A condition on a running task that makes an event when it holds.
 *
 * @param event the caller's name for it
 * @param once whether it looks no further after the first time
 */
public record Watcher(String event, WatchCondition condition, boolean once) {}
