package dev.errand.host.process;

import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.PosixSignal;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import dev.errand.host.linux.Terminals;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The receivers of a signal to a task: the group of its leader and, at a terminal, before it the
 * foreground group, since an interactive shell gives each of its jobs its own group; then, if
 * requested, the single processes that have left these groups.
 */
final class SignalTarget {
  private static final int NO_TERMINAL = -1;

  /**
   * The maximum number of processes outside the groups that are signalled, since all other requests
   * wait meanwhile.
   */
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

  /** The leader is gone, and with it our access to the terminal. */
  void leaveTerminal() {
    master = NO_TERMINAL;
  }

  long leader() {
    return leader;
  }

  void send(PosixSignal signal) {
    groups().forEach(it -> Processes.signalGroup(it, signal));
  }

  /**
   * Sends it to the groups, then once to each of these processes that is now in none of them.
   *
   * @return those of these processes that it reached
   */
  List<Long> send(PosixSignal signal, List<ProcFs.Stat> outside) {
    var groups = groups();
    groups.forEach(it -> Processes.signalGroup(it, signal));
    return outside.stream()
        .filter(seen -> Processes.signalIf(seen, signal, now -> !groups.contains(now.group())))
        .map(ProcFs.Stat::pid)
        .limit(OUTSIDE_MAX)
        .toList();
  }

  /** Sends TERM to all. */
  void end() {
    send(PosixSignal.TERM);
    hangUp();
    // A stopped process cannot act on a signal before it continues.
    send(PosixSignal.CONT);
  }

  /**
   * A shell at a terminal ignores TERM, but exits at a hang-up. It may accept TERM for a moment
   * while its prompt returns; so this can be repeated.
   */
  void hangUp() {
    if (master != NO_TERMINAL) {
      groups().stream()
          .filter(it -> ProcFs.ignores(it, PosixSignal.TERM))
          .forEach(it -> Processes.signalGroup(it, PosixSignal.HUP));
    }
  }

  /**
   * Sends the signal as its key would, if the terminal accepts that key now; otherwise to the
   * foreground group.
   *
   * @param behindInput input waits for the process, and a key would be queued after it
   */
  void press(Terminals.Key key, PosixSignal signal, boolean behindInput) {
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

  /** The first is in the foreground. */
  private List<Long> groups() {
    var front = master == NO_TERMINAL ? leader : Terminals.foreground(master).orElse(leader);
    return front == leader || !isOurs(front) ? List.of(leader) : List.of(front, leader);
  }

  /**
   * A group that is gone may still be reported as the foreground group after its number was reused.
   * While it has members its number cannot be reused.
   */
  private boolean isOurs(long group) {
    return ProcFs.stat(group).map(it -> it.session() == leader).orElse(true);
  }
}
