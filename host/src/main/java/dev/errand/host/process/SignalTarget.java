package dev.errand.host.process;

import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import dev.errand.host.linux.Signal;
import dev.errand.host.linux.Terminals;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Whom a signal to a task goes to: the group of its leader and, at a terminal, before it the group
 * that is in front, since an interactive shell gives each of its jobs a group of its own; then, if
 * asked for, one by one those that have left these groups.
 */
final class SignalTarget {
  private static final int NO_TERMINAL = -1;

  /** Of more that are outside the groups only so many are signalled, since all others wait. */
  private static final int OUTSIDE_MAX = 1_024;

  private final long leader;
  private int master;

  private SignalTarget(long leader, int master) {
    this.leader = leader;
    this.master = master;
  }

  static SignalTarget of(long leader) {
    return new SignalTarget(leader, NO_TERMINAL);
  }

  static SignalTarget atTerminal(long leader, int master) {
    return new SignalTarget(leader, master);
  }

  /** The leader is gone, and with it our hold on the terminal. */
  void leaveTerminal() {
    master = NO_TERMINAL;
  }

  long leader() {
    return leader;
  }

  void send(Signal signal) {
    groups().forEach(it -> Processes.signalGroup(it, signal));
  }

  /**
   * Sends it to the groups and then once to each of these who is in none of them now.
   *
   * @return whom of these it reached
   */
  List<Long> send(Signal signal, List<ProcFs.Stat> outside) {
    var groups = groups();
    groups.forEach(it -> Processes.signalGroup(it, signal));
    return outside.stream()
        .filter(seen -> Processes.signalIf(seen, signal, now -> !groups.contains(now.group())))
        .map(ProcFs.Stat::pid)
        .limit(OUTSIDE_MAX)
        .toList();
  }

  /** Asks all to end. */
  void end() {
    send(Signal.TERM);
    hangUp();
    // A stopped process cannot act on a signal before it goes on.
    send(Signal.CONT);
  }

  /**
   * A shell at a terminal does not hear TERM, but leaves when that hangs up. It may look as if it
   * heard for a moment, while its prompt comes back; so this can be done again.
   */
  void hangUp() {
    if (master != NO_TERMINAL) {
      groups().stream()
          .filter(it -> ProcFs.ignores(it, Signal.TERM))
          .forEach(it -> Processes.signalGroup(it, Signal.HUP));
    }
  }

  /**
   * Sends the signal as its key would, if the terminal knows that key now; else to those in front.
   *
   * @param behindInput input waits for the process, and a key would have to wait behind it
   */
  void press(Terminals.Key key, Signal signal, boolean behindInput) {
    var mode = behindInput ? null : Terminals.mode(master).orElse(null);
    if (mode != null && mode.signals() && mode.key(key) != 0 && type(mode.key(key))) {
      return;
    }
    Processes.signalGroup(groups().getFirst(), signal);
  }

  private boolean type(byte key) {
    try (var arena = Arena.ofConfined()) {
      return Descriptors.write(master, arena.allocateFrom(ValueLayout.JAVA_BYTE, key)) == 1;
    }
  }

  /** The first is in front. */
  private List<Long> groups() {
    var front = master == NO_TERMINAL ? leader : Terminals.foreground(master).orElse(leader);
    return front == leader || !isOurs(front) ? List.of(leader) : List.of(front, leader);
  }

  /**
   * A group that is gone may still be called the one in front while its number names a stranger. As
   * long as it has members the number names nobody else.
   */
  private boolean isOurs(long group) {
    return ProcFs.stat(group).map(it -> it.session() == leader).orElse(true);
  }
}
