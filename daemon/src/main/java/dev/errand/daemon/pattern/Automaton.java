package dev.errand.daemon.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The patterns of a prefilter as one nondeterministic automaton: a node reads a byte, matches an
 * end of the line, or only leads to other nodes. Built once, then only read.
 */
final class Automaton {
  /** Of all patterns together; a pattern that does not fit is not filtered. */
  static final int NODES_MAX = 50_000;

  static final int NOWHERE = -1;

  /** What a node is; the operand of BYTES is a set, that of MATCH the number of a pattern. */
  enum Kind {
    BYTES,
    SPLIT,
    BEGIN,
    END,
    MATCH
  }

  private final List<Kind> kinds = new ArrayList<>();
  private final List<BitSet> sets = new ArrayList<>();
  private final Map<BitSet, Integer> setNumbers = new HashMap<>();
  private int[] first = new int[64];
  private int[] second = new int[64];
  private int[] owner = new int[64];
  private int adding;

  /** The next nodes belong to this pattern. */
  void begin(int pattern) {
    adding = pattern;
  }

  int size() {
    return kinds.size();
  }

  /** Removes the nodes of a pattern that could not be added completely. */
  void shrink(int size) {
    kinds.subList(size, kinds.size()).clear();
  }

  int bytes(BitSet set, int next) {
    return add(Kind.BYTES, next, number(set));
  }

  int split(int one, int other) {
    return add(Kind.SPLIT, one, other);
  }

  int border(Kind kind, int next) {
    return add(kind, next, NOWHERE);
  }

  int match() {
    return add(Kind.MATCH, NOWHERE, adding);
  }

  /** Closes a loop. */
  void lead(int split, int one) {
    first[split] = one;
  }

  private int add(Kind kind, int one, int other) {
    var node = kinds.size();
    if (node >= NODES_MAX) {
      throw new PatternParser.NotUnderstood();
    }
    if (node == first.length) {
      first = Arrays.copyOf(first, node * 2);
      second = Arrays.copyOf(second, node * 2);
      owner = Arrays.copyOf(owner, node * 2);
    }
    kinds.add(kind);
    first[node] = one;
    second[node] = other;
    owner[node] = adding;
    return node;
  }

  private int number(BitSet set) {
    var known = setNumbers.get(set);
    if (known != null) {
      return known;
    }
    sets.add(set);
    setNumbers.put(set, sets.size() - 1);
    return sets.size() - 1;
  }

  Kind kind(int node) {
    return kinds.get(node);
  }

  int next(int node) {
    return first[node];
  }

  int other(int node) {
    return second[node];
  }

  int owner(int node) {
    return owner[node];
  }

  boolean reads(int node, int value) {
    return sets.get(second[node]).get(value);
  }

  /** Bytes that no pattern distinguishes share a class, numbered from 0. */
  byte[] classes() {
    var classes = new int[256];
    var count = 1;
    for (var set : sets) {
      var split = new HashMap<Integer, Integer>();
      for (var value = 0; value < classes.length; value++) {
        if (set.get(value)) {
          var old = classes[value];
          if (!split.containsKey(old)) {
            split.put(old, count++);
          }
          classes[value] = split.get(old);
        }
      }
      count = renumber(classes);
    }
    var bytes = new byte[classes.length];
    for (var value = 0; value < classes.length; value++) {
      bytes[value] = (byte) classes[value];
    }
    return bytes;
  }

  private static int renumber(int[] classes) {
    var numbers = new HashMap<Integer, Integer>();
    for (var value = 0; value < classes.length; value++) {
      var next = numbers.size();
      classes[value] = numbers.computeIfAbsent(classes[value], _ -> next);
    }
    return numbers.size();
  }
}
