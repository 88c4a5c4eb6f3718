package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;

/** What all verbs use: the access checks, and idempotency. */
public record Floor(Authorizer authorizer, Idempotency idempotency) {

  public static Floor of(Engine engine, Journal journal) {
    return new Floor(new Authorizer(engine, journal), new Idempotency(engine, journal));
  }
}
