package dev.errand.e2e;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A surface of the daemon as the parity table asks it: one method for each verb, with what every
 * surface can say. A surface that has no such verb leaves its method out and says why in {@link
 * #gaps}.
 */
interface SurfaceAdapter extends AutoCloseable {

  /** The verb is missing here. */
  final class Gap extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** What this surface does not have, with the reason. */
  Map<ParityVerb, String> gaps();

  /** Starts a command line. */
  default TaskId spawn(String commandLine) throws Exception {
    throw new Gap();
  }

  /** The status with all its fields, as the wire has them. */
  default JsonNode status(TaskId taskId) throws Exception {
    throw new Gap();
  }

  /** The status of each task, in one word of the wire. */
  default Map<TaskId, String> list() throws Exception {
    throw new Gap();
  }

  /** All that a task wrote to this stream. */
  default String output(TaskId taskId, LogStream stream) throws Exception {
    throw new Gap();
  }

  /** The numbers of the lines that match, from 1. */
  default List<Long> search(TaskId taskId, String pattern) throws Exception {
    throw new Gap();
  }

  /** The types of all frames of an ended task, in their order. */
  default List<String> events(TaskId taskId) throws Exception {
    throw new Gap();
  }

  /** Returns when the task is over, with its exit code. */
  default long await(TaskId taskId) throws Exception {
    throw new Gap();
  }

  default void cancel(TaskId taskId, String reason) throws Exception {
    throw new Gap();
  }

  default void signal(TaskId taskId, String signal) throws Exception {
    throw new Gap();
  }

  /** Writes to its input and closes it. */
  default void stdin(TaskId taskId, String text) throws Exception {
    throw new Gap();
  }

  default void resize(TaskId taskId, int rows, int cols) throws Exception {
    throw new Gap();
  }

  /** The lines of its terminal, or the text of them. */
  default String screen(TaskId taskId) throws Exception {
    throw new Gap();
  }

  default void approve(TaskId taskId) throws Exception {
    throw new Gap();
  }

  default void deny(TaskId taskId, String reason) throws Exception {
    throw new Gap();
  }

  default void remove(TaskId taskId) throws Exception {
    throw new Gap();
  }

  /** Keeps a text and returns its digest. */
  default String store(String text) throws Exception {
    throw new Gap();
  }

  default String fetch(String artifactId) throws Exception {
    throw new Gap();
  }

  @Override
  default void close() {}
}
