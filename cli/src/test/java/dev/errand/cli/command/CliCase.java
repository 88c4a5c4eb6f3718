package dev.errand.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of the command line, with a home and a daemon that answers what it is told to. */
abstract class CliCase {
  CliFixture cli;

  @BeforeEach
  final void open(@TempDir Path folder) throws IOException {
    cli = new CliFixture(folder);
  }

  @AfterEach
  final void close() throws IOException {
    cli.close();
  }
}
