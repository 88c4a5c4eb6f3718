package dev.errand.cli.command;

import dev.errand.cli.render.Table;
import dev.errand.cli.render.Table.Cell;
import dev.errand.cli.render.Times;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.TokenClient;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand token}: creates, lists, rotates and revokes tokens. */
final class TokenCommand implements CliCommand {
  private static final String PROFILE = "--profile";
  private static final String SESSION = "--session";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "token",
            new Specs.About(
                "Manage tokens, which give programs a name and rights",
                "ls  |  errand token new NAME [OPTIONS]  |  errand token rotate|revoke NAME",
                """
                new and rotate print the token, once: only its digest is kept. A change counts at \
                once; revoke also takes what the token made. "default" is the token in the home \
                folder, with the profile of the config file.\
                """,
                List.of(
                    "errand token new ci --session build",
                    "errand token new editor --profile full-auto",
                    "errand token ls",
                    "errand token revoke ci")));
    spec.addPositional(Specs.argument(0, "ls|new|rotate|revoke", "what to do"));
    spec.addPositional(Specs.optional(1, "NAME", "the token's name; frames show it as by"));
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of("safe", "full-auto")),
            "for new: the profile of its holder (default: safe)",
            PROFILE));
    spec.addOption(
        Specs.text(
            "ID", "for new: the only session its holder can access (default: all)", SESSION));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    try (var client = context.daemon().connect()) {
      var tokens = client.tokens();
      switch (words.getFirst()) {
        case "ls" -> list(tokens, parsed, context);
        case "new" ->
            told(
                tokens.mint(name(words), option(parsed, PROFILE), option(parsed, SESSION)),
                parsed,
                context);
        case "rotate" -> told(tokens.rotate(name(words)), parsed, context);
        case "revoke" -> revoked(tokens.revoke(name(words)), parsed, context);
        default ->
            throw new UsageException(
                "unknown command '"
                    + words.getFirst()
                    + "' of errand token; use ls, new, rotate or revoke");
      }
    }
    return ExitCode.OK.number();
  }

  private static String name(List<String> words) {
    if (words.size() < 2) {
      throw new UsageException("errand token " + words.getFirst() + " needs the name of a token");
    }
    return words.get(1);
  }

  private static @Nullable String option(ParseResult parsed, String name) {
    return parsed.hasMatchedOption(name) ? parsed.matchedOptionValue(name, "") : null;
  }

  /** The token alone on standard output, so that a script can take it. */
  private static void told(JsonFields minted, ParseResult parsed, Context context) {
    if (Specs.has(parsed, Specs.JSON)) {
      context.console().print(Json.text(minted.node()));
      return;
    }
    context.console().print(SafeText.line(minted.text("token")));
    context.console().say("save it now: it is not stored and is not shown again");
  }

  private static void revoked(List<String> names, ParseResult parsed, Context context) {
    context
        .console()
        .print(
            Specs.has(parsed, Specs.JSON)
                ? JsonLines.object(out -> out.texts("revoked", names))
                : SafeText.line("revoked " + String.join(", ", names)));
  }

  private static void list(TokenClient tokens, ParseResult parsed, Context context) {
    if (Specs.has(parsed, Specs.JSON)) {
      tokens.list().forEach(it -> context.console().print(Json.text(it.node())));
      return;
    }
    var table = new Table("NAME", "PROFILE", "SESSION", "KEY", "MADE BY", "ISSUED");
    for (var token : tokens.list()) {
      table.row(
          List.of(
              cell(token.text("name")),
              cell(token.text("profile")),
              cell(token.text("session_id", "all")),
              cell(token.text("key_id")),
              cell(token.text("minted_by")),
              Cell.of(Times.local(Instant.ofEpochMilli(token.number("issued_at_ms"))))));
    }
    var colour = context.console().terminal().colour();
    table.lines(0, colour).forEach(context.console()::print);
  }

  private static Cell cell(String text) {
    return Cell.of(SafeText.line(text));
  }
}
