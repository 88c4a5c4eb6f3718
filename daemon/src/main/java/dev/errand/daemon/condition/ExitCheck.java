package dev.errand.daemon.condition;

/** Whether the task is over. */
final class ExitCheck implements Check {
  @Override
  public Verdict look(Moment moment) {
    return moment.ended() ? new Verdict.Holds(new Held.Exit(moment.seq())) : Verdict.UNTIL_FRAME;
  }
}
