package dev.errand.daemon.verb;

import dev.errand.daemon.config.Configuration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the settings again; a file with a mistake changes nothing. */
public final class ReloadConfig extends Change<ReloadConfig.Request, Configuration.Reloaded> {
  private static final String CHANGED = "changed";
  private static final String AFTER_RESTART = "after_restart";
  private static final String KEY = "key";
  private static final String BEFORE = "before";
  private static final String AFTER = "after";

  private final Admin admin;

  public record Request() implements Change.Request, OfNothing {
    @Override
    public List<String> words() {
      return List.of();
    }
  }

  ReloadConfig(Verbs.Parts parts) {
    super("reload_config", new Access.Owner(), parts.floor());
    this.admin = parts.running().admin();
  }

  @Override
  Configuration.Reloaded change(Ask ask, Request request, Once<Configuration.Reloaded> once) {
    return admin.reload();
  }

  /** Settings are not secret: {@link ShowConfig} shows them all. */
  @Override
  ObjectNode remembered(Configuration.Reloaded reloaded) {
    var node = JsonNodeFactory.instance.objectNode();
    add(node.putArray(CHANGED), reloaded.changed());
    add(node.putArray(AFTER_RESTART), reloaded.afterRestart());
    return node;
  }

  private static void add(ArrayNode array, List<Configuration.Change> changes) {
    for (var it : changes) {
      array.addObject().put(KEY, it.key()).put(BEFORE, it.before()).put(AFTER, it.after());
    }
  }

  @Override
  Configuration.Reloaded again(JsonNode remembered) {
    return new Configuration.Reloaded(
        changes(remembered.path(CHANGED)), changes(remembered.path(AFTER_RESTART)));
  }

  private static List<Configuration.Change> changes(JsonNode array) {
    return array
        .valueStream()
        .map(it ->
            new Configuration.Change(
                it.path(KEY).stringValue(""),
                it.path(BEFORE).stringValue(""),
                it.path(AFTER).stringValue("")))
        .toList();
  }
}
