package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.verb.Access;
import dev.errand.daemon.verb.Verb;
import dev.errand.wire.http.Headers;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of the route table: a method, a path in which one part may be variable, the query
 * parameters that it knows, its handler, and its description.
 */
record Route(
    String method,
    List<String> parts,
    Set<String> query,
    Access access,
    @Nullable Verb<?, ?> verb,
    Answer answer,
    Unread unread,
    Doc doc) {
  private static final String VARIABLE = "{";

  Route {
    var names = parts.stream().anyMatch(it -> it.startsWith(VARIABLE));
    if (names && !access.settlesName()) {
      throw new IllegalStateException("nothing settles who may name what " + parts + " names");
    }
  }

  /** Whether it only reads, so that it is not written to the audit. */
  boolean reads() {
    return !access.isAudited();
  }

  interface Answer {
    Reply answer(Call call) throws IOException, InterruptedException;
  }

  /** Is called when a call is refused before its handler has read it. */
  interface Unread {
    Unread IGNORED = (_, _) -> {};

    void refused(Call call, ErrandException refusal);
  }

  /**
   * A request that the door answers itself, for every authenticated caller, or whose parts check
   * callers themselves. Every other route needs a verb.
   */
  static Route of(Access access, String method, String path, Answer answer) {
    switch (access) {
      case Access.Open _, Access.Common _, Access.Spawns _ -> {}
      case Access.Reads _,
          Access.Controls _,
          Access.ControlsFromOutside _,
          Access.Decides _,
          Access.Filtered _,
          Access.ControlsOwn _,
          Access.AllSessions _,
          Access.Owner _ ->
          throw new IllegalStateException(path + " needs a verb, which checks who asks");
    }
    return of(access, null, method, path, answer);
  }

  /** The route of a verb, for the callers that may use it. */
  static Route of(Verb<?, ?> verb, String method, String path, Answer answer) {
    return of(verb.access(), verb, method, path, answer);
  }

  private static Route of(
      Access access, @Nullable Verb<?, ?> verb, String method, String path, Answer answer) {
    return new Route(method, split(path), Set.of(), access, verb, answer, Unread.IGNORED, Doc.NONE);
  }

  Route query(String... names) {
    return new Route(method, parts, Set.of(names), access, verb, answer, unread, doc);
  }

  Route unread(Unread told) {
    return new Route(method, parts, query, access, verb, answer, told, doc);
  }

  /** Refuses query parameters that the route does not know, and invalid keys. */
  void check(Call call) {
    try {
      call.allowQuery(query);
      if (!reads()) {
        call.checkKey();
      }
    } catch (ErrandException e) {
      unread.refused(call, e);
      throw e;
    }
  }

  /** Whether its answer is given even if the caller is no longer admitted. */
  boolean mayEndTokenOfCaller() {
    return verb != null && verb.mayEndTokenOfCaller();
  }

  /** Refuses a caller that may not use its verb. */
  void admit(Call call) {
    if (verb != null) {
      verb.check(call.asker(), call.id());
    }
  }

  /** Its description, in one sentence. */
  Route about(String sentence) {
    return with(doc.about(sentence));
  }

  /** The schema of its body. */
  Route takes(String schema) {
    return with(doc.takes(schema));
  }

  Route gives(int status, String schema) {
    return gives(status, Headers.JSON, schema, false);
  }

  Route givesPage(String schema) {
    return gives(200, Headers.JSON, schema, true);
  }

  /** An answer that is not JSON; without a type it has no body. */
  Route givesOther(int status, String type) {
    return gives(status, type, null, false);
  }

  private Route gives(int status, String type, @Nullable String schema, boolean page) {
    return with(doc.gives(new Doc.Given(status, type, schema, page)));
  }

  private Route with(Doc other) {
    return new Route(method, parts, query, access, verb, answer, unread, other);
  }

  /** Whether it changes more than the run of the daemon. */
  boolean isBarredFromReaders() {
    return !reads() && !method.equals("GET") && !parts.equals(List.of("admin", "shutdown"));
  }

  /** The variable part of the path, empty if it has none; null if the path does not match. */
  @Nullable String match(List<String> path) {
    if (path.size() != parts.size()) {
      return null;
    }
    var variable = "";
    for (var i = 0; i < parts.size(); i++) {
      if (parts.get(i).startsWith(VARIABLE)) {
        variable = path.get(i);
      } else if (!parts.get(i).equals(path.get(i))) {
        return null;
      }
    }
    return variable;
  }

  static List<String> split(String path) {
    return List.of(path.substring(1).split("/", -1));
  }
}
