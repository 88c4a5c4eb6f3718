package dev.errand.cli.command;

/** What the exit codes of {@code errand} mean; scripts rely on them, so they never change. */
enum ExitCode {
  OK(
      0,
      "success; for run and wait: the task ended with code 0, or a condition of wait --until is met"),
  CHECK_FAILED(1, "doctor found something that does not work"),
  USAGE(2, "the command line, or the file for config --check, is invalid"),
  REFUSED(3, "the daemon refused the request or failed; the message says why"),
  NO_DAEMON(4, "no daemon runs, or it cannot be reached or started"),
  NO_TASK(5, "there is no such task, or more than one matches"),
  ENDED_FIRST(6, "wait --until: the task ended before a condition was met"),
  TIMED_OUT(124, "run, wait: the task passed a time limit, or the --timeout of wait has passed"),
  NOT_KNOWN(125, "run, wait: the task failed for another reason (lost, output limit, not started)"),
  NOT_EXECUTABLE(126, "run, wait: the program was found and could not be executed"),
  NOT_FOUND(127, "run, wait: the program was not found"),
  DETACHED(130, "Ctrl-C, or detached by its keys: the task goes on"),
  OUTPUT_CLOSED(141, "the reader of the output closed it"),
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
