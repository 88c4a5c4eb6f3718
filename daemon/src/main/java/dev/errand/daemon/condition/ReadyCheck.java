package dev.errand.daemon.condition;

/** Whether the task was seen to be ready; one that is over is not. */
final class ReadyCheck implements Check {
  @Override
  public Verdict look(Moment moment) {
    return moment.readyAtMs() > 0
        ? new Verdict.Holds(new Held.Ready(moment.seq(), moment.readyAtMs()))
        : Verdict.UNTIL_FRAME;
  }
}
