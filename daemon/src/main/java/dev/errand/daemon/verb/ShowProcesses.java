package dev.errand.daemon.verb;

import java.util.List;

/** Shows the processes of tasks that outlive them. */
public final class ShowProcesses extends Verb<ShowProcesses.Request, List<Admin.LeftProcess>> {
  private final Admin admin;

  public record Request() implements OfNothing {}

  ShowProcesses(Verbs.Parts parts) {
    super("show_processes", new Access.Owner(), parts.floor().authorizer());
    this.admin = parts.running().admin();
  }

  @Override
  List<Admin.LeftProcess> answer(Ask ask, Request request) {
    return admin.processes();
  }
}
