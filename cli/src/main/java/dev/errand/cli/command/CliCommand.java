package dev.errand.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One command of the program, such as {@code errand logs}. */
interface CliCommand {

  /** Its options and arguments, and the help that explains them. */
  CommandSpec spec();

  /** Runs it and returns the exit code. Failures are exceptions, see {@link FailureReport}. */
  int run(ParseResult parsed, Context context) throws InterruptedException;
}
