package dev.errand.daemon.config;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration in use: read at the start of the daemon and at each reload. A live setting
 * changes with a reload, so its users read it here each time; all other settings keep their value
 * until a restart.
 */
public final class Configuration implements Supplier<Config> {
  private final Path file;
  private final @Nullable String listen;
  private final ConfigFile.Loaded started;
  private final List<Consumer<Config>> listeners = new CopyOnWriteArrayList<>();
  private volatile ConfigFile.Loaded latest;

  private Configuration(Path file, @Nullable String listen) throws IOException {
    this.file = file;
    this.listen = listen;
    this.started = load();
    this.latest = started;
  }

  /** {@code listen}: the address of the command line, which overrides that of the file. */
  public static Configuration open(Path file, @Nullable String listen) throws IOException {
    return new Configuration(file, listen);
  }

  /** Registers a listener for new configurations. */
  public void onReload(Consumer<Config> listener) {
    listeners.add(listener);
  }

  @Override
  public Config get() {
    return latest.config();
  }

  public Path file() {
    return file;
  }

  /** A setting, and its value after a restart if that differs. */
  public record InForce(Setting setting, @Nullable String afterRestart) {}

  /** All settings, as they are shown. */
  public record Listing(Path file, List<InForce> settings) {
    public Listing {
      settings = List.copyOf(settings);
    }
  }

  public Listing listing() {
    return new Listing(file, settings());
  }

  public List<InForce> settings() {
    var now = latest;
    var before = byKey(started);
    var all = new ArrayList<InForce>();
    for (var setting : now.settings()) {
      var old = before.get(setting.key());
      if (setting.live() || old == null) {
        all.add(new InForce(setting, null));
      } else {
        var same = old.value().equals(setting.value());
        all.add(new InForce(old, same ? null : setting.value()));
      }
    }
    return all;
  }

  public record Change(String key, String before, String after) {}

  /** The settings changed now, and those that change after a restart. */
  public record Reloaded(List<Change> changed, List<Change> afterRestart) {
    public Reloaded {
      changed = List.copyOf(changed);
      afterRestart = List.copyOf(afterRestart);
    }
  }

  /** Reads the file again. An invalid file changes nothing, and the error has its line. */
  public synchronized Reloaded reload() {
    var before = latest;
    var after = loadAgain();
    latest = after;
    listeners.forEach(it -> it.accept(after.config()));
    var changed = new ArrayList<>(changes(before, after));
    changed.removeIf(it -> !isLive(it.key(), before, after));
    var waiting = new ArrayList<>(changes(started, after));
    waiting.removeIf(it -> isLive(it.key(), before, after));
    return new Reloaded(changed, waiting);
  }

  private ConfigFile.Loaded loadAgain() {
    try {
      return load();
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST, file + " cannot be read; nothing was changed: " + e, e);
    }
  }

  private ConfigFile.Loaded load() throws IOException {
    var loaded = ConfigFile.load(file);
    var address = listen;
    if (address == null) {
      return loaded;
    }
    var origin = new Setting.Origin.CommandLine();
    var settings =
        loaded.settings().stream()
            .map(it ->
                it.key().equals(ConfigFile.LISTEN)
                    ? it.from(origin, ValueText.quoted(address))
                    : it)
            .toList();
    return new ConfigFile.Loaded(loaded.config().withHttpListen(address), settings);
  }

  private static List<Change> changes(ConfigFile.Loaded before, ConfigFile.Loaded after) {
    var old = byKey(before);
    var now = byKey(after);
    var keys = new LinkedHashSet<>(old.keySet());
    keys.addAll(now.keySet());
    return keys.stream()
        .map(it -> new Change(it, value(old.get(it)), value(now.get(it))))
        .filter(it -> !it.before().equals(it.after()))
        .toList();
  }

  private static String value(@Nullable Setting setting) {
    return setting == null ? Setting.NONE : setting.value();
  }

  /** Settings of added or removed tables are in only one of the two. */
  private static boolean isLive(String key, ConfigFile.Loaded before, ConfigFile.Loaded after) {
    var setting = byKey(after).getOrDefault(key, byKey(before).get(key));
    return setting != null && setting.live();
  }

  private static Map<String, Setting> byKey(ConfigFile.Loaded loaded) {
    var map = new LinkedHashMap<String, Setting>();
    loaded.settings().forEach(it -> map.put(it.key(), it));
    return map;
  }
}
