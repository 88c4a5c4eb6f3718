package dev.errand.daemon.schema;

import com.networknt.schema.Error;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON Schema that was read, ready to check arguments with. Any number of threads may. */
public final class ArgumentSchema {
  /** More than a double has at either side of its point. */
  private static final int DIGITS_MAX = 1_000;

  private final Schema schema;

  private ArgumentSchema(Schema schema) {
    this.schema = schema;
  }

  /** Draft 2020-12, or the draft that {@code $schema} names. */
  public static ArgumentSchema of(ObjectNode schema) throws WrongSchemaException {
    try {
      checkForm(schema);
      checkDynamic(schema);
      var read = Registry.INSTANCE.getSchema(schema.deepCopy());
      read.initializeValidators();
      return new ArgumentSchema(read);
    } catch (SchemaException | IllegalArgumentException | TooMuchException e) {
      throw new WrongSchemaException(List.of(), String.valueOf(e.getMessage()));
    } catch (NullPointerException e) {
      // The library does not look whether the target of a $ref is there.
      throw new WrongSchemaException(List.of(), "a $ref in it leads nowhere");
    }
  }

  /** The schema itself is checked against the schema of its draft, which tells places. */
  private static void checkForm(ObjectNode schema) throws WrongSchemaException {
    var draft = schema.path("$schema").stringValue(Registry.DRAFT);
    var rules =
        Registry.INSTANCE.getSchema(SchemaLocation.of(Registry.INSTANCE.getDialect(draft).getId()));
    var errors = errors(rules, schema);
    if (!errors.isEmpty()) {
      var violation = Violation.first(errors, rules.getSchemaNode());
      throw new WrongSchemaException(violation.names(), violation.sentence("schema"));
    }
  }

  /** These are resolved late; where they would lead is known now. */
  private static void checkDynamic(ObjectNode schema) throws WrongSchemaException {
    for (var to : schema.findValuesAsString("$dynamicRef")) {
      if (!to.startsWith("#")) {
        throw new WrongSchemaException(
            List.of(), "schema from '" + to + "' is not allowed to be loaded");
      }
    }
  }

  /**
   * Fails with INVALID_REQUEST, which says where a rule is broken, which one, and what it expects.
   */
  public void check(String name, JsonNode value) {
    checkNumbers(name, value);
    try {
      var errors = errors(schema, value);
      if (!errors.isEmpty()) {
        throw RequestFields.invalid(Violation.first(errors, schema.getSchemaNode()).sentence(name));
      }
    } catch (TooMuchException | SchemaException e) {
      throw RequestFields.invalid(name + " cannot be checked: " + e.getMessage());
    }
  }

  /** Some rules write a number out in full, and {@code 1e999999999} has as many digits. */
  private static void checkNumbers(String name, JsonNode value) {
    for (var inner : value) {
      checkNumbers(name, inner);
    }
    if (value.isNumber()) {
      var finite = !value.isFloatingPointNumber() || Double.isFinite(value.asDouble(0));
      var number = finite ? value.asDecimal() : null;
      if (number == null
          || number.precision() > DIGITS_MAX
          || Math.abs((long) number.scale()) > DIGITS_MAX) {
        throw RequestFields.invalid(
            name + " has a number of more than " + DIGITS_MAX + " digits, which cannot be checked");
      }
    }
  }

  private static List<Error> errors(Schema schema, JsonNode value) {
    return schema.validate(new BoundedContext(), value, OutputFormat.DEFAULT);
  }
}
