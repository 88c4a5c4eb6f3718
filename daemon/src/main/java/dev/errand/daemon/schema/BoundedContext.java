package dev.errand.daemon.schema;

import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;

/**
 * Counts the steps of one check. A schema that refers to itself can make a check without end, or
 * one that doubles its work with every level of the arguments; here both are refused.
 */
final class BoundedContext extends ExecutionContext {
  /** Arguments of the longest allowed length take less than half of it in a sensible schema. */
  private static final int STEPS_MAX = 1_000_000;

  /** A level of the arguments takes two or three; beyond it the stack would end. */
  private static final int DEPTH_MAX = 600;

  private int steps;
  private int depth;

  BoundedContext() {
    super(ExecutionConfig.builder().formatAssertionsEnabled(true).build());
  }

  @Override
  public void evaluationPathAddLast(String token) {
    enter();
    super.evaluationPathAddLast(token);
  }

  @Override
  public void evaluationPathAddLast(int token) {
    enter();
    super.evaluationPathAddLast(token);
  }

  @Override
  public void evaluationPathRemoveLast() {
    depth--;
    super.evaluationPathRemoveLast();
  }

  private void enter() {
    steps++;
    depth++;
    if (steps > STEPS_MAX) {
      throw new TooMuchException("the schema takes more than " + STEPS_MAX + " steps for it");
    }
    if (depth > DEPTH_MAX) {
      throw new TooMuchException("the schema leads more than " + DEPTH_MAX + " steps deep for it");
    }
  }
}
