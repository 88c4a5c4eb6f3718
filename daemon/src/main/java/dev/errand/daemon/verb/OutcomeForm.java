package dev.errand.daemon.verb;

import dev.errand.core.engine.Outcome;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.json.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The stored form of outcomes: a small JSON object, the same for every door. */
final class OutcomeForm<A> implements Idempotency.Form<Done<A>> {
  private static final String ANSWER = "answer";
  private static final String REFUSAL = "refusal";

  private final Function<JsonNode, A> again;

  OutcomeForm(Function<JsonNode, A> again) {
    this.again = again;
  }

  @Override
  public byte[] encode(Done<A> done) {
    return switch (done) {
      case Done.Answered<A> it -> answered(it.remembered());
      case Done.Refused<A> it -> refused(it);
    };
  }

  static byte[] answered(ObjectNode remembered) {
    var node = JsonNodeFactory.instance.objectNode();
    node.set(ANSWER, remembered);
    return Json.bytes(node);
  }

  private static byte[] refused(Done.Refused<?> refused) {
    var node = JsonNodeFactory.instance.objectNode();
    var refusal = node.putObject(REFUSAL);
    refusal.put("code", refused.code().name()).put("detail", refused.detail());
    var facts = refusal.putObject("facts");
    new TreeMap<>(refused.facts()).forEach(facts::put);
    return Json.bytes(node);
  }

  @Override
  public Done<A> decode(byte[] remembered) {
    if (remembered.length == 0 || remembered[0] != '{') {
      throw new EarlierReply(remembered);
    }
    var node = Json.read(remembered);
    return node.get(ANSWER) instanceof ObjectNode answer
        ? new Done.Answered<>(answer, again.apply(answer))
        : refusal(node.path(REFUSAL));
  }

  private static <A> Done<A> refusal(JsonNode node) {
    var facts = new TreeMap<String, Long>();
    node.path("facts")
        .properties()
        .forEach(it -> facts.put(it.getKey(), it.getValue().longValue()));
    return new Done.Refused<>(
        ErrorCode.valueOf(node.path("code").stringValue("")),
        node.path("detail").stringValue(""),
        facts);
  }

  @Override
  public Done<A> refused(ErrandException refusal) {
    return new Done.Refused<>(
        refusal.code(), String.valueOf(refusal.getMessage()), refusal.facts());
  }

  @Override
  public Done<A> refused(Outcome.Refused refusal) {
    return new Done.Refused<>(refusal.code(), refusal.detail(), Map.copyOf(refusal.facts()));
  }
}
