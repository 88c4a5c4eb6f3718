package dev.errand.host.redact;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds many byte strings in one pass over the text: the Aho-Corasick automaton. It is built once
 * and then only read.
 *
 * <p>A state stands for the longest prefix of a pattern that the text ends with so far. Patterns
 * are long and few, so nearly every state has one transition, to the next state; only where
 * patterns diverge is there a table. A state takes about thirteen bytes: keys of some kilobytes are
 * not rare, and each has about twenty forms.
 */
final class Patterns {
  static final int ROOT = 0;
  private static final int NONE = -1;
  private static final int BYTE_VALUES = 256;

  private final int[] fromRoot = new int[BYTE_VALUES];

  /** The byte that leads to a state. */
  private final byte[] by;

  private final int[] depth;
  private final int[] fail;

  /** The longest pattern that ends in a state. */
  private final int[] ending;

  /** States that do not follow the previous state. */
  private final BitSet apart = new BitSet();

  /** States with other transitions than the one to the next state. */
  private final BitSet parting = new BitSet();

  private final Map<Integer, Integer> partings = new HashMap<>();
  private final List<Pattern> patterns = new ArrayList<>();
  private int states = 1;

  private record Pattern(int length, String name) {}

  /** Patterns by the name that stands for them; one character per byte. */
  Patterns(Map<String, ? extends Iterable<String>> byName) {
    var total = 1;
    for (var forms : byName.values()) {
      for (var form : forms) {
        total += form.length();
      }
    }
    this.by = new byte[total];
    this.depth = new int[total];
    this.fail = new int[total];
    this.ending = new int[total];
    apart.set(ROOT);
    apart.set(ROOT + 1);
    patterns.add(new Pattern(0, ""));
    byName.forEach((name, forms) -> forms.forEach(it -> insert(it, name)));
    link();
  }

  private void insert(String pattern, String name) {
    var state = ROOT;
    for (var i = 0; i < pattern.length(); i++) {
      var at = pattern.charAt(i);
      var next = state == ROOT ? begin(at) : direct(state, at);
      if (next == NONE) {
        next = states++;
        by[next] = (byte) at;
        depth[next] = i + 1;
        put(state, at, next);
      }
      state = next;
    }
    if (ending[state] == 0) {
      patterns.add(new Pattern(pattern.length(), name));
      ending[state] = patterns.size() - 1;
    }
  }

  private int begin(int at) {
    return fromRoot[at] == ROOT ? NONE : fromRoot[at];
  }

  private void put(int state, int at, int next) {
    if (state == ROOT) {
      fromRoot[at] = next;
      apart.set(next);
    } else if (next != state + 1) {
      apart.set(next);
      parting.set(state);
      partings.put(state << Byte.SIZE | at, next);
    }
  }

  private int direct(int state, int at) {
    var next = state + 1;
    if (next < states && by[next] == (byte) at && !apart.get(next)) {
      return next;
    }
    return parting.get(state) ? partings.getOrDefault(state << Byte.SIZE | at, NONE) : NONE;
  }

  /** In order of depth, so that a state's suffix link is computed before the state. */
  private void link() {
    var parents = parents();
    for (var state : inOrderOfDepth()) {
      fail[state] = depth[state] == 1 ? ROOT : step(fail[parents[state]], by[state] & 0xff);
      if (ending[state] == 0) {
        ending[state] = ending[fail[state]];
      }
    }
  }

  private int[] parents() {
    var parents = new int[states];
    for (var state = 1; state < states; state++) {
      parents[state] = apart.get(state) ? ROOT : state - 1;
    }
    partings.forEach((step, next) -> parents[next] = step >>> Byte.SIZE);
    return parents;
  }

  private int[] inOrderOfDepth() {
    var places = new int[states + 1];
    for (var state = 1; state < states; state++) {
      places[depth[state]]++;
    }
    for (var i = 1; i < states; i++) {
      places[i] += places[i - 1];
    }
    var ordered = new int[states - 1];
    for (var state = 1; state < states; state++) {
      ordered[places[depth[state] - 1]++] = state;
    }
    return ordered;
  }

  /** The state after one more byte. */
  int step(int from, int at) {
    var state = from;
    while (state != ROOT) {
      var next = direct(state, at);
      if (next != NONE) {
        return next;
      }
      state = fail[state];
    }
    return fromRoot[at];
  }

  /** Whether a pattern starts with this byte. */
  boolean begins(int at) {
    return fromRoot[at] != ROOT;
  }

  /** How many of the last bytes may be the start of a pattern. */
  int depth(int state) {
    return depth[state];
  }

  /** The length of the longest pattern that ends here; 0 if none does. */
  int length(int state) {
    return patterns.get(ending[state]).length();
  }

  String name(int state) {
    return patterns.get(ending[state]).name();
  }
}
