package dev.errand.cli.command;

import java.util.List;
import java.util.Optional;

/**
 * The table of all commands. A command object is created only when needed: each class that is not
 * loaded makes the program start faster.
 */
final class CliCommands {

  /** Commands shown together in the help. */
  record Group(String title, List<String> names) {}

  static final List<Group> GROUPS =
      List.of(
          new Group("Start", List.of("run", "spawn")),
          new Group(
              "Look",
              List.of(
                  "ls", "status", "logs", "events", "screen", "replay", "export", "attach",
                  "watch")),
          new Group(
              "Control",
              List.of(
                  "wait", "send", "resize", "signal", "cancel", "rm", "approve", "deny", "batch")),
          new Group("Keep", List.of("artifact", "gc")),
          new Group("Agents", List.of("tool", "inbox", "webhook")),
          new Group(
              "Daemon",
              List.of(
                  "up", "down", "restart", "serve", "adopt", "recover", "token", "session",
                  "config", "reload", "doctor")),
          new Group("Help", List.of("help", "completion", "version")));

  private CliCommands() {}

  static Optional<CliCommand> find(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "adopt" -> new AdoptCommand();
          case "approve" -> new ApproveCommand();
          case "attach" -> new AttachCommand();
          case "artifact" -> new ArtifactCommand();
          case "batch" -> new BatchCommand();
          case "cancel" -> new CancelCommand();
          case "completion" -> new CompletionCommand();
          case "config" -> new ConfigCommand();
          case "deny" -> new DenyCommand();
          case "doctor" -> new DoctorCommand();
          case "down" -> new DownCommand();
          case "events" -> new EventsCommand();
          case "export" -> new ExportCommand();
          case "gc" -> new GcCommand();
          case "help" -> new HelpCommand();
          case "inbox" -> new InboxCommand();
          case "logs" -> new LogsCommand();
          case "ls" -> new ListCommand();
          case "recover" -> new RecoverCommand();
          case "reload" -> new ReloadCommand();
          case "replay" -> new ReplayCommand();
          case "resize" -> new ResizeCommand();
          case "restart" -> new RestartCommand();
          case "rm" -> new RemoveCommand();
          case "run" -> new RunCommand();
          case "screen" -> new ScreenCommand();
          case "send" -> new SendCommand();
          case "serve" -> new ServeCommand();
          case "session" -> new SessionCommand();
          case "signal" -> new SignalCommand();
          case "spawn" -> new SpawnCommand();
          case "status" -> new StatusCommand();
          case "token" -> new TokenCommand();
          case "tool" -> new ToolCommand();
          case "up" -> new UpCommand();
          case "version" -> new VersionCommand();
          case "wait" -> new WaitCommand();
          case "watch" -> new WatchCommand();
          case "webhook" -> new WebhookCommand();
          default -> null;
        });
  }

  static List<String> names() {
    return GROUPS.stream().flatMap(it -> it.names().stream()).toList();
  }

  static CliCommand get(String name) {
    return find(name)
        .orElseThrow(
            () -> new UsageException("unknown command '" + name + "'" + Suggestion.hint(name)));
  }
}
