package dev.errand.wire.json;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.Ruling;
import org.jspecify.annotations.Nullable;

/** What the policy said to a task, as the field {@code policy} of its first frame and status. */
final class RulingJson {
  private static final String ALLOW = "allow";
  private static final String ASK = "ask";

  private RulingJson() {}

  /** Nothing is written without a ruling, so that old frames are unchanged. */
  static void write(JsonWriter out, @Nullable Ruling ruling) {
    if (ruling == null) {
      return;
    }
    out.object(
        "policy",
        it ->
            it.text("profile", ruling.profile().word())
                .text("decision", ruling.answer() instanceof Ruling.Answer.Asked ? ASK : ALLOW)
                .text("rule", ruling.rule())
                .text("justification", ruling.justification())
                .numberOrNull("until_ms", untilMs(ruling)));
  }

  private static @Nullable Long untilMs(Ruling ruling) {
    return switch (ruling.answer()) {
      case Ruling.Answer.Allowed _ -> null;
      case Ruling.Answer.Asked it -> it.untilMs();
    };
  }

  static @Nullable Ruling read(JsonFields spawned) {
    if (!spawned.has("policy")) {
      return null;
    }
    var in = spawned.object("policy");
    var answer =
        in.text("decision", ALLOW).equals(ASK)
            ? new Ruling.Answer.Asked(in.number("until_ms", 0))
            : new Ruling.Answer.Allowed();
    // A profile that this program does not know is not trusted.
    var profile = Profile.ofWord(in.text("profile", "")).orElse(Profile.SAFE);
    return new Ruling(profile, answer, in.text("rule", ""), in.textOrNull("justification"));
  }
}
