package dev.errand.daemon.condition;

import tools.jackson.databind.node.ObjectNode;

/** What came of waiting, in the form in which it leaves the daemon. */
public final class AwaitedJson {

  private AwaitedJson() {}

  /** Adds {@code timed_out}, {@code ended}, {@code held} and, after a timeout, how far it came. */
  public static void describe(ObjectNode answer, Awaited awaited, boolean ended) {
    answer.put("timed_out", awaited instanceof Awaited.TimedOut);
    answer.put("ended", ended);
    switch (awaited) {
      case Awaited.Holds(var index, var held) ->
          held(answer.putObject("held").put("index", index), held);
      case Awaited.Ended _ -> answer.putNull("held");
      case Awaited.TimedOut(var searchedTo) -> {
        answer.putNull("held");
        var offsets = answer.putObject("searched_to");
        searchedTo.forEach((stream, offset) -> offsets.put(stream.word(), offset));
      }
    }
  }

  private static void held(ObjectNode out, Held held) {
    switch (held) {
      case Held.Exit _ -> out.put("kind", "exit");
      case Held.Text it ->
          out.put("kind", "text")
              .put("stream", it.stream().word())
              .put("offset", it.offset())
              .put("end_offset", it.end())
              .put("snippet", it.snippet());
      case Held.Screen it ->
          out.put("kind", "screen")
              .put("offset", it.offset())
              .put("row", it.row())
              .put("snippet", it.snippet());
      case Held.Prompt it ->
          out.put("kind", "prompt")
              .put("confidence", it.confidence())
              .put("pid", it.pid())
              .put("snippet", it.snippet());
      case Held.Idle it -> out.put("kind", "idle_ms").put("idle_ms", it.quiet().toMillis());
      case Held.Port it ->
          out.put("kind", "port")
              .put("port", it.number())
              .put("address", it.address())
              .put("pid", it.pid());
      case Held.Ready it -> out.put("kind", "ready").put("ready_at_ms", it.atMs());
      case Held.Http it -> out.put("kind", "http").put("url", it.url());
      case Held.File it -> out.put("kind", "file").put("path", it.path());
    }
    out.put("seq", held.seq());
  }
}
