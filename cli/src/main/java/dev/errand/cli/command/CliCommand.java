package dev.errand.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One thing that a person can ask for. */
interface CliCommand {

  /** Its options and arguments, and the help that explains them. */
  CommandSpec spec();

  /** Does it; the answer is the exit code. Failures are exceptions, see {@link FailureReport}. */
  int run(ParseResult parsed, Context context) throws InterruptedException;
}
