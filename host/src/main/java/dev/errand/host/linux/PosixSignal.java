package dev.errand.host.linux;

import java.util.Optional;

/** The signals by name; the numbers are those of x86-64 and arm64. */
public enum PosixSignal {
  HUP(1),
  INT(2),
  QUIT(3),
  ILL(4),
  TRAP(5),
  ABRT(6),
  BUS(7),
  FPE(8),
  KILL(9),
  USR1(10),
  SEGV(11),
  USR2(12),
  PIPE(13),
  ALRM(14),
  TERM(15),
  STKFLT(16),
  CHLD(17),
  CONT(18),
  STOP(19),
  TSTP(20),
  TTIN(21),
  TTOU(22),
  URG(23),
  XCPU(24),
  XFSZ(25),
  VTALRM(26),
  PROF(27),
  WINCH(28),
  IO(29),
  PWR(30),
  SYS(31);

  private final int number;

  PosixSignal(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** The name without SIG, or {@code RT} and the number for a real-time signal. */
  public static String nameOf(int number) {
    for (var signal : values()) {
      if (signal.number == number) {
        return signal.name();
      }
    }
    return "RT" + number;
  }

  public static Optional<PosixSignal> ofName(String name) {
    for (var signal : values()) {
      if (signal.name().equals(name)) {
        return Optional.of(signal);
      }
    }
    return Optional.empty();
  }
}
