package dev.errand.wire.client;

import dev.errand.wire.json.JsonFields;
import java.util.ArrayList;
import java.util.List;

/** The lines of a log that match; {@link #fields} has all that is not named here. */
public record OutputMatches(JsonFields fields) {

  /** A line that matches, by its number from 1, as plain text with those around it. */
  public record Match(
      long line, long offset, String text, List<String> before, List<String> after) {

    public Match {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  public List<Match> matches() {
    var matches = new ArrayList<Match>();
    for (var node : fields.node().path("matches")) {
      var match = new JsonFields(node);
      matches.add(
          new Match(
              match.number("line"),
              match.number("offset_bytes"),
              match.text("text"),
              match.texts("before"),
              match.texts("after")));
    }
    return matches;
  }

  /** Where the search goes on. */
  public long nextOffset() {
    return fields.number("next_offset_bytes");
  }

  /** Whether more of what is there remains to be searched. */
  public boolean isUnfinished() {
    return fields.bool("unfinished", false);
  }
}
