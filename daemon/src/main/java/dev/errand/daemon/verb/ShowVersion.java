package dev.errand.daemon.verb;

import dev.errand.core.journal.Journal;

/** Shows the identity of this daemon. */
public final class ShowVersion extends Verb<ShowVersion.Request, ShowVersion.Version> {
  private final About about;
  private final Journal journal;

  public record Request() implements OfNothing {}

  /** The version of the program, and the journal and process of this run. */
  public record Version(About about, String journalId, long pid) {}

  ShowVersion(Verbs.Parts parts) {
    super("show_version", new Access.Common(), parts.floor().authorizer());
    this.about = parts.running().about();
    this.journal = parts.journaled().journal();
  }

  @Override
  Version answer(Ask ask, Request request) {
    return new Version(about, journal.id(), ProcessHandle.current().pid());
  }
}
