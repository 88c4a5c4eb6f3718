package dev.errand.daemon.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds which of up to 64 patterns may occur in a line, in one pass over its bytes and in time that
 * does not depend on the number of patterns. No is certain; maybe must be checked with the pattern
 * itself.
 *
 * <p>It is a deterministic automaton that makes a state when it first reaches it, and forgets all
 * states if there are too many. A pattern that keeps needing new states is given up: from then on
 * it may occur in every line, since matching it directly is faster. For one thread at a time.
 */
public final class Prefilter {
  public static final int PATTERNS_MAX = 64;

  /**
   * Of all states, in words of four bytes; above it all are forgotten, and needed ones are made
   * again.
   */
  private static final int WORDS_MAX = 1 << 18;

  /** About what a state takes besides its nodes and transitions. */
  private static final int STATE_WORDS = 80;

  /** How many of the 256 bytes must lead back to a state before skipping them pays. */
  private static final int STAYING_MIN = 248;

  /** If states are used for fewer bytes than this before all are forgotten, they do not pay. */
  private static final int BYTES_PER_STATE_MIN = 10;

  private static final boolean[] NO_BYTES = new boolean[0];

  private final Automaton automaton = new Automaton();
  private final List<Integer> starts = new ArrayList<>();
  private final byte[] classes;
  private final int classCount;
  private final int[] samples;
  private long always;
  private final Map<Key, State> states = new HashMap<>();
  private @Nullable State start;
  private int words;
  private long walked;

  /** The state within a line; to be passed back with the next bytes. */
  public static final class State {
    private final int[] nodes;
    private final long found;
    private final @Nullable State[] transitions;
    private final long foundAtEnd;

    /** The bytes that are known to lead back to it. */
    private boolean[] stays = NO_BYTES;

    private boolean skips;

    private State(int[] nodes, long found, long foundAtEnd, int transitions) {
      this.nodes = nodes;
      this.found = found;
      this.foundAtEnd = foundAtEnd;
      this.transitions = new State[transitions];
    }

    /** The patterns, a bit for each, that may have occurred in what has come of the line. */
    public long found() {
      return found;
    }

    /** The same where the line ends here. */
    public long foundAtEnd() {
      return foundAtEnd;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // Compared by content below.
  private record Key(int[] nodes, long found) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key it && it.found == found && Arrays.equals(it.nodes, nodes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(nodes) * 31 + Long.hashCode(found);
    }
  }

  public Prefilter(List<String> patterns) {
    if (patterns.size() > PATTERNS_MAX) {
      throw new IllegalArgumentException("at most " + PATTERNS_MAX + " patterns");
    }
    var unread = 0L;
    for (var i = 0; i < patterns.size(); i++) {
      unread |= add(i, patterns.get(i)) ? 0 : 1L << i;
    }
    always = unread;
    classes = automaton.classes();
    samples = samples(classes);
    classCount = samples.length;
  }

  private boolean add(int number, String pattern) {
    var size = automaton.size();
    automaton.begin(number);
    try {
      starts.add(PatternParser.parse(automaton, pattern));
      return true;
    } catch (PatternParser.NotUnderstood _) {
      automaton.shrink(size);
      return false;
    }
  }

  /** A byte of each class. */
  private static int[] samples(byte[] classes) {
    var samples = new int[256];
    var count = 0;
    for (var value = 0; value < classes.length; value++) {
      var number = classes[value] & 0xff;
      samples[number] = value;
      count = Math.max(count, number + 1);
    }
    return Arrays.copyOf(samples, count);
  }

  /** The patterns that cannot be filtered, or cost too much; they may occur in every line. */
  public long always() {
    return always;
  }

  /** The state at the start of a line. */
  public State start() {
    var known = start;
    if (known == null) {
      var closure = new Closure(always);
      starts.forEach(it -> closure.enter(it, true));
      known = state(closure);
      start = known;
    }
    return known;
  }

  /** Reads bytes of a line, without its line break. */
  public State run(State from, byte[] bytes, int start, int end) {
    var state = from;
    var at = start;
    var counted = start;
    while (true) {
      if (state.skips) {
        at = skip(state.stays, bytes, at, end);
      }
      if (at >= end) {
        walked += at - counted;
        return state;
      }
      var number = classes[bytes[at] & 0xff] & 0xff;
      var next = state.transitions[number];
      if (next == null) {
        walked += at - counted;
        counted = at;
        next = step(state, number);
      }
      state = next;
      at++;
    }
  }

  /** If few bytes change the state, skipping the others is fastest. */
  private static int skip(boolean[] stays, byte[] bytes, int start, int end) {
    var at = start;
    while (at < end && stays[bytes[at] & 0xff]) {
      at++;
    }
    return at;
  }

  private State step(State from, int number) {
    var closure = new Closure(from.found);
    for (var node : from.nodes) {
      if (automaton.kind(node) == Automaton.Kind.BYTES && automaton.reads(node, samples[number])) {
        closure.enter(automaton.next(node), false);
      }
    }
    starts.forEach(it -> closure.enter(it, false));
    var next = state(closure);
    from.transitions[number] = next;
    if (next == from) {
      from.stays = from.stays.length == 0 ? new boolean[classes.length] : from.stays;
      var count = 0;
      for (var value = 0; value < classes.length; value++) {
        from.stays[value] |= (classes[value] & 0xff) == number;
        count += from.stays[value] ? 1 : 0;
      }
      from.skips = count >= STAYING_MIN;
    }
    return next;
  }

  private State state(Closure closure) {
    var nodes = closure.nodes();
    var key = new Key(nodes, closure.found);
    var known = states.get(key);
    if (known != null) {
      return known;
    }
    words += nodes.length + classCount + STATE_WORDS;
    if (words > WORDS_MAX) {
      forget();
    }
    var made = new State(nodes, closure.found, atEnd(closure), classCount);
    states.put(key, made);
    return made;
  }

  private void forget() {
    if (walked < (long) states.size() * BYTES_PER_STATE_MIN) {
      always |= costliest();
    }
    states.clear();
    words = 0;
    walked = 0;
    start = null;
  }

  /** The pattern, as its bit, that was in the most different places in these states. */
  private long costliest() {
    var places = new HashMap<Integer, Set<Integer>>();
    for (var state : states.values()) {
      var hashes = new HashMap<Integer, Integer>();
      for (var node : state.nodes) {
        hashes.merge(automaton.owner(node), node, (hash, it) -> hash * 31 + it);
      }
      hashes.forEach(
          (owner, hash) -> places.computeIfAbsent(owner, _ -> new HashSet<>()).add(hash));
    }
    return places.entrySet().stream()
        .max(Comparator.comparingInt(it -> it.getValue().size()))
        .map(it -> 1L << it.getKey())
        .orElse(0L);
  }

  private long atEnd(Closure closure) {
    var end = new Closure(closure.found);
    for (var node : closure.nodes()) {
      if (automaton.kind(node) == Automaton.Kind.END) {
        end.pass(automaton.next(node));
      }
    }
    return end.found;
  }

  /** All nodes that can be reached without reading a byte. */
  private final class Closure {
    private final BitSet seen = new BitSet(automaton.size());
    private final int[] stack = new int[automaton.size() + 1];
    private int depth;
    private long found;

    private Closure(long found) {
      this.found = found;
    }

    /** Follows the open transitions, at the start of a line or within it. */
    void enter(int node, boolean atStart) {
      follow(node, atStart, false);
    }

    /**
     * Follows the transitions that are open at the end of the line; treated as a start too, to be
     * safe.
     */
    void pass(int node) {
      follow(node, true, true);
    }

    private void follow(int node, boolean atStart, boolean atEnd) {
      push(node);
      while (depth > 0) {
        var next = stack[--depth];
        switch (automaton.kind(next)) {
          case SPLIT -> {
            push(automaton.other(next));
            push(automaton.next(next));
          }
          case MATCH -> found |= 1L << automaton.other(next);
          case BEGIN -> {
            if (atStart) {
              push(automaton.next(next));
            }
          }
          case END -> {
            if (atEnd) {
              push(automaton.next(next));
            }
          }
          case BYTES -> {}
        }
      }
    }

    private void push(int node) {
      if ((found & 1L << automaton.owner(node)) == 0 && !seen.get(node)) {
        seen.set(node);
        stack[depth++] = node;
      }
    }

    /** The nodes that read the next byte; none for patterns that were found. */
    int[] nodes() {
      return seen.stream().filter(this::isAwaited).toArray();
    }

    private boolean isAwaited(int node) {
      var kind = automaton.kind(node);
      return (kind == Automaton.Kind.BYTES || kind == Automaton.Kind.END)
          && (found & 1L << automaton.owner(node)) == 0;
    }
  }
}
