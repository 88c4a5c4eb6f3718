package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/**
 * What made a condition true. {@code seq} is the frame that made it true or, where no frame did,
 * the last frame before.
 */
public sealed interface ConditionMet {
  long seq();

  /** Its kind and what belongs to it, as fields of an answer. */
  void describe(ObjectNode out);

  /** What a watcher records. */
  String snippet();

  /** The sentence for a caller that waited. */
  String sentence();

  record Exit(long seq) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "exit");
    }

    @Override
    public String snippet() {
      return "";
    }

    @Override
    public String sentence() {
      return "It is over.";
    }
  }

  /** The match by its bytes in the log, and what stands around it. */
  record Text(long seq, LogStream stream, long offset, long end, String snippet)
      implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "text").put("stream", stream.word());
      out.put("offset", offset).put("end_offset", end).put("snippet", snippet);
    }

    @Override
    public String sentence() {
      return "It holds: " + snippet;
    }
  }

  /** The row in which the match begins, counted from 0, of the screen that was seen. */
  record Screen(long seq, long offset, int row, String snippet) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "screen").put("offset", offset).put("row", row).put("snippet", snippet);
    }

    @Override
    public String sentence() {
      return "It holds: " + snippet;
    }
  }

  record Idle(long seq, Duration quiet) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "idle_ms").put("idle_ms", quiet.toMillis());
    }

    @Override
    public String snippet() {
      return "silent for " + quiet.toMillis() + " ms";
    }

    @Override
    public String sentence() {
      return "It is quiet.";
    }
  }

  record Port(long seq, int number, String address, long pid) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "port").put("port", number).put("address", address).put("pid", pid);
    }

    @Override
    public String snippet() {
      return "listens on " + address + " (pid " + pid + ")";
    }

    @Override
    public String sentence() {
      return "It listens on port " + number + ".";
    }
  }

  /** The process that waits for input, how sure that is, and the text before the cursor. */
  record Prompt(long seq, String confidence, long pid, String snippet) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "prompt").put("confidence", confidence);
      out.put("pid", pid).put("snippet", snippet);
    }

    @Override
    public String sentence() {
      return "It waits at a prompt: " + snippet;
    }
  }

  record Ready(long seq, long atMs) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "ready").put("ready_at_ms", atMs);
    }

    @Override
    public String snippet() {
      return "";
    }

    @Override
    public String sentence() {
      return "It is ready.";
    }
  }

  record Http(long seq, String url) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "http").put("url", url);
    }

    @Override
    public String snippet() {
      return url + " answers with 200";
    }

    @Override
    public String sentence() {
      return "It answers at " + url + ".";
    }
  }

  record File(long seq, String path) implements ConditionMet {
    @Override
    public void describe(ObjectNode out) {
      out.put("kind", "file").put("path", path);
    }

    @Override
    public String snippet() {
      return "there is " + path;
    }

    @Override
    public String sentence() {
      return "There is " + path + ".";
    }
  }
}
