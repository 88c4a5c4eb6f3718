package dev.errand.host.redact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Finds many byte strings in one pass over the text: the automaton of Aho and Corasick. It is built
 * once and then only read.
 *
 * <p>A state stands for the longest beginning of a pattern that the text ends with so far. Its
 * steps lie in one hash table instead of a table of 256 per state: keys of some kilobytes are not
 * rare, and each has a dozen forms.
 */
final class Patterns {
  static final int ROOT = 0;
  private static final int NONE = -1;
  private static final int BYTE_VALUES = 256;

  private final int[] fromRoot = new int[BYTE_VALUES];
  private final int[] depth;
  private final int[] fail;
  private final int[] length;
  private final int[] owner;
  private final List<String> names;
  private final int[] keys;
  private final int[] values;
  private int states = 1;

  /** Patterns by the name that stands for them; one character per byte. */
  Patterns(Map<String, ? extends Iterable<String>> byName) {
    var total = 1;
    for (var forms : byName.values()) {
      for (var form : forms) {
        total += form.length();
      }
    }
    this.depth = new int[total];
    this.fail = new int[total];
    this.length = new int[total];
    this.owner = new int[total];
    this.keys = new int[Integer.highestOneBit(total) * 4];
    this.values = new int[keys.length];
    Arrays.fill(keys, NONE);
    this.names = new ArrayList<>();
    byName.forEach((name, forms) -> {
      names.add(name);
      forms.forEach(it -> insert(it, names.size() - 1));
    });
    link();
  }

  private void insert(String pattern, int name) {
    var state = ROOT;
    for (var i = 0; i < pattern.length(); i++) {
      var next = direct(state, pattern.charAt(i));
      if (next == NONE) {
        next = states++;
        depth[next] = i + 1;
        put(state, pattern.charAt(i), next);
      }
      state = next;
    }
    if (length[state] == 0) {
      length[state] = pattern.length();
      owner[state] = name;
    }
  }

  /** In the order of depth, so that a state's shorter companion is settled before it. */
  private void link() {
    var order = new ArrayList<long[]>();
    for (var i = 0; i < keys.length; i++) {
      if (keys[i] != NONE) {
        order.add(new long[] {depth[values[i]], keys[i], values[i]});
      }
    }
    order.sort((a, b) -> Long.compare(a[0], b[0]));
    for (var edge : order) {
      var parent = (int) (edge[1] >>> Byte.SIZE);
      var at = (int) (edge[1] & 0xff);
      var state = (int) edge[2];
      if (parent == ROOT) {
        fromRoot[at] = state;
        fail[state] = ROOT;
      } else {
        fail[state] = step(fail[parent], at);
      }
      if (length[state] == 0 && length[fail[state]] > 0) {
        length[state] = length[fail[state]];
        owner[state] = owner[fail[state]];
      }
    }
  }

  private int direct(int state, int at) {
    var key = state << Byte.SIZE | at;
    for (var slot = slot(key); ; slot = (slot + 1) & (keys.length - 1)) {
      if (keys[slot] == key) {
        return values[slot];
      }
      if (keys[slot] == NONE) {
        return NONE;
      }
    }
  }

  private void put(int state, int at, int next) {
    var key = state << Byte.SIZE | at;
    var slot = slot(key);
    while (keys[slot] != NONE) {
      slot = (slot + 1) & (keys.length - 1);
    }
    keys[slot] = key;
    values[slot] = next;
  }

  private int slot(int key) {
    var hash = key * 0x9E3779B9;
    return (hash ^ hash >>> 15) & (keys.length - 1);
  }

  /** The state after one more byte. */
  int step(int state, int at) {
    while (state != ROOT) {
      var next = direct(state, at);
      if (next != NONE) {
        return next;
      }
      state = fail[state];
    }
    return fromRoot[at];
  }

  /** Whether a byte leads anywhere from the beginning. */
  boolean begins(int at) {
    return fromRoot[at] != ROOT;
  }

  /** How many of the last bytes may be the beginning of a pattern. */
  int depth(int state) {
    return depth[state];
  }

  /** The length of the longest pattern that ends here; 0 if none does. */
  int length(int state) {
    return length[state];
  }

  String name(int state) {
    return names.get(owner[state]);
  }
}
