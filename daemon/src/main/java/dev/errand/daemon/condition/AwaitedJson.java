package dev.errand.daemon.condition;

import tools.jackson.databind.node.ObjectNode;

/** The result of a wait as JSON. */
public final class AwaitedJson {

  private AwaitedJson() {}

  /** Adds {@code timed_out}, {@code ended}, {@code held} and, after a timeout, how far it came. */
  public static void describe(ObjectNode answer, Awaited awaited, boolean ended) {
    answer.put("timed_out", awaited instanceof Awaited.TimedOut);
    answer.put("ended", ended);
    switch (awaited) {
      case Awaited.Holds(var index, var met) ->
          held(answer.putObject("held").put("index", index), met);
      case Awaited.Ended _ -> answer.putNull("held");
      case Awaited.TimedOut(var searchedTo) -> {
        answer.putNull("held");
        var offsets = answer.putObject("searched_to");
        searchedTo.forEach((stream, offset) -> offsets.put(stream.word(), offset));
      }
    }
  }

  private static void held(ObjectNode out, ConditionMet met) {
    met.describe(out);
    out.put("seq", met.seq());
  }
}
