package dev.errand.cli.command;

/** What the exit codes of {@code errand} mean; scripts rely on them, so they never change. */
enum ExitCode {
  OK(0, "done; for run and wait: the task ended with code 0, or what wait --until names holds"),
  CHECK_FAILED(1, "doctor found something that does not work"),
  USAGE(2, "the command line, or the file that config reads, is wrong"),
  REFUSED(3, "the daemon refused or could not do it; the message says why"),
  NO_DAEMON(4, "no daemon runs, or it cannot be reached or started"),
  NO_TASK(5, "there is no such task, or more than one matches"),
  ENDED_FIRST(6, "wait --until: the task ended before what was waited for held"),
  TIMED_OUT(124, "run, wait: the task passed a time limit, or --timeout of wait is over"),
  NOT_KNOWN(125, "run, wait: the task failed for another reason (lost, output limit, not started)"),
  NOT_EXECUTABLE(126, "run, wait: the program was found and could not be executed"),
  NOT_FOUND(127, "run, wait: the program was not found"),
  DETACHED(130, "Ctrl-C, or detached by its keys: the task goes on"),
  OUTPUT_CLOSED(141, "whoever read the output has gone"),
  CANCELLED(143, "run, wait: the task was cancelled");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  int number() {
    return number;
  }

  String meaning() {
    return meaning;
  }
}
