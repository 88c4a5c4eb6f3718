package dev.errand.daemon.tool;

import org.jspecify.annotations.Nullable;

/**
 * What is said of a call beside its arguments. A declared tool gets its arguments as they are, so
 * it is only here that a caller can say such things of one; other tools take them as arguments.
 *
 * @param folder where the caller works: tasks that name no folder run there; null if it has none
 * @param toolSet the set of tools that is listed to the caller; null: all of them
 */
public record CallOptions(
    @Nullable String sessionId,
    @Nullable String batchId,
    @Nullable String justification,
    @Nullable String folder,
    @Nullable String toolSet) {
  public static final CallOptions NOTHING = new CallOptions(null, null, null, null, null);

  /** How earlier versions wrote them into the digest of a call; empty if none was given. */
  public String earlierText() {
    return sessionId == null && batchId == null && justification == null
        ? ""
        : "CallOptions[sessionId=%s, batchId=%s, justification=%s]"
            .formatted(sessionId, batchId, justification);
  }

  /** What is left when all others have become arguments. */
  CallOptions folderOnly() {
    return new CallOptions(null, null, null, folder, null);
  }
}
