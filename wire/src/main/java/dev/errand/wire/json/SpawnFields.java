package dev.errand.wire.json;

import java.util.List;
import java.util.stream.Stream;

/**
 * The catalogue of the fields of a request for a new task. Each part of it stands beside the code
 * that reads that part.
 */
public final class SpawnFields {
  /** The whole body. */
  public static final FieldType.Form FORM =
      new FieldType.Form(
          "Spawn",
          Stream.of(
                  SpawnWork.FIELDS,
                  SpawnNames.FIELDS,
                  SpawnIo.FIELDS,
                  SpawnLimits.FIELDS,
                  SpawnRequestReader.FIELDS,
                  SpawnPlan.FIELDS,
                  SpawnWatching.FIELDS)
              .<RequestField<?>>flatMap(List::stream)
              .toList());

  /** What {@code args} has for the tools that are always there. */
  public static final FieldType.Form ARGS = SpawnWork.ARGS;

  /** How the task is fitted in among others. */
  public static final List<RequestField<?>> PLAN = SpawnPlan.FIELDS;

  /** What is to be noticed of it. */
  public static final List<RequestField<?>> ATTENTION = SpawnWatching.FIELDS;

  private SpawnFields() {}
}
