package dev.errand.daemon.verb;

import dev.errand.daemon.config.Configuration;

/** Shows the settings, and where each value comes from. */
public final class ShowConfig extends Verb<ShowConfig.Request, Configuration.Listing> {
  private final Admin admin;

  public record Request() implements OfNothing {}

  ShowConfig(Verbs.Parts parts) {
    super("show_config", new Access.Owner(), parts.floor().authorizer());
    this.admin = parts.running().admin();
  }

  @Override
  Configuration.Listing answer(Ask ask, Request request) {
    return admin.config();
  }
}
