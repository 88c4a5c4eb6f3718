package dev.errand.cli.command;

import dev.errand.cli.render.Table;
import dev.errand.cli.render.Table.Cell;
import dev.errand.cli.render.Times;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.InboxClient;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand webhook}: sets the address that gets the notices of a session. */
final class WebhookCommand implements CliCommand {
  private static final String SECRET_FILE = "--secret-file";
  private static final String ACK = "--ack";
  private static final String EVENTS = "--events";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "webhook",
            new Specs.About(
                "Send the notices of a session to an address, and show the deliveries",
                "set URL [OPTIONS]  |  errand webhook show|tries|rm [OPTIONS]",
                """
                Each notice is posted as JSON, signed and in order, and tried again until it is \
                taken or a day old, whatever the session has read meanwhile. set prints the secret \
                that signs, once, unless you give one. The address is one of this machine unless \
                inbox.webhooks says otherwise.\
                """,
                List.of(
                    "errand webhook set http://127.0.0.1:8080/hook --secret-file key",
                    "errand webhook set http://127.0.0.1:8080/hook --events status,output",
                    "errand webhook tries",
                    "errand webhook rm")));
    spec.addPositional(Specs.argument(0, "set|show|tries|rm", "what to do"));
    spec.addPositional(Specs.optional(1, "URL", "for set: where to post"));
    spec.addOption(
        Specs.text(
            "FILE",
            "for set: sign with what this file holds on one line (default: a new secret)",
            SECRET_FILE));
    spec.addOption(Specs.flag("for set: a successful response acknowledges the notice", ACK));
    spec.addOption(
        Specs.text(
            "LIST",
            "for set: post these events of tasks too, any of status,watch,output (default: none)",
            EVENTS));
    spec.addOption(InboxCommand.session());
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    try (var client = context.daemon().connect()) {
      var inbox = client.inbox(InboxCommand.session(parsed, context));
      switch (words.getFirst()) {
        case "set" ->
            show(
                inbox.setWebhook(
                    url(words), secret(parsed), Specs.has(parsed, ACK), events(parsed)),
                parsed,
                context);
        case "show" -> show(inbox.webhook(), parsed, context);
        case "tries" -> tries(inbox, parsed, context);
        case "rm" -> removed(inbox.removeWebhook(), parsed, context);
        default ->
            throw new UsageException(
                "unknown command '"
                    + words.getFirst()
                    + "' of errand webhook; use set, show, tries or rm");
      }
    }
    return ExitCode.OK.number();
  }

  private static String url(List<String> words) {
    if (words.size() < 2) {
      throw new UsageException("errand webhook set needs an address");
    }
    return words.get(1);
  }

  /** From a file, since other users can see the arguments of a command. */
  private static @Nullable String secret(ParseResult parsed) {
    if (!parsed.hasMatchedOption(SECRET_FILE)) {
      return null;
    }
    var file = parsed.matchedOptionValue(SECRET_FILE, "");
    try {
      var secret = Files.readString(Path.of(file)).strip();
      if (secret.isEmpty() || secret.contains("\n")) {
        throw new UsageException(SECRET_FILE + ": the file must have exactly one line");
      }
      return secret;
    } catch (IOException | InvalidPathException e) {
      throw new UsageException(SECRET_FILE + ": cannot read " + SafeText.line(file));
    }
  }

  private static List<String> events(ParseResult parsed) {
    return parsed.hasMatchedOption(EVENTS)
        ? List.of(parsed.matchedOptionValue(EVENTS, "").split(",", -1))
        : List.of();
  }

  private static void show(JsonFields webhook, ParseResult parsed, Context context) {
    if (Specs.has(parsed, Specs.JSON)) {
      context.console().print(Json.text(webhook.node()));
      return;
    }
    var signed = webhook.bool("signed", false) ? "signed" : "not signed";
    var ack = webhook.bool("ack", false) ? ", success acknowledges" : "";
    var words = webhook.texts("events");
    var events = words.isEmpty() ? "" : ", with events " + String.join(",", words);
    var failing = webhook.bool("failing", false) ? ", failing: see errand webhook tries" : "";
    context
        .console()
        .print(
            SafeText.line(webhook.text("url"))
                + " "
                + signed
                + ack
                + SafeText.line(events)
                + failing);
    if (webhook.has("secret")) {
      context.console().print("secret " + SafeText.line(webhook.text("secret")));
      context
          .console()
          .say("configure it at the target now, for the signatures: it is not shown again");
    }
  }

  private static void tries(InboxClient inbox, ParseResult parsed, Context context) {
    var table = new Table("WHEN", "NOTICE", "TRY", "OUTCOME", "ANSWER");
    for (var it : inbox.webhookTries()) {
      if (Specs.has(parsed, Specs.JSON)) {
        context.console().print(Json.text(it.node()));
        continue;
      }
      var answer = it.has("status") ? Long.toString(it.number("status")) : it.text("error", "");
      table.row(
          List.of(
              Cell.of(Times.local(Instant.ofEpochMilli(it.number("at_ms")))),
              Cell.of(SafeText.line(it.text("notice_id"))),
              Cell.of(Long.toString(it.number("try"))),
              Cell.of(SafeText.line(it.text("outcome"))),
              Cell.of(SafeText.line(answer))));
    }
    if (!Specs.has(parsed, Specs.JSON)) {
      table.lines(0, context.console().terminal().colour()).forEach(context.console()::print);
    }
  }

  private static void removed(boolean removed, ParseResult parsed, Context context) {
    context
        .console()
        .print(
            Specs.has(parsed, Specs.JSON)
                ? JsonLines.object(out -> out.bool("removed", removed))
                : removed ? "removed" : "there was none");
  }
}
