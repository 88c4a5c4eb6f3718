package dev.errand.core.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * One transaction: frames, the view rows folded from them, artifact links, removals, remembered
 * replies and inbox changes. All of it is committed, or nothing.
 *
 * @param lazy whether the commit may return before it is synced to disk: a crash of the machine,
 *     but not of the daemon, can lose it shortly afterwards
 */
public record Batch(
    Fence fence,
    boolean lazy,
    List<Append> appends,
    List<TaskRow> rows,
    List<ArtifactLink> artifacts,
    List<Tombstone> removals,
    List<RememberedReply> replies,
    List<SessionEnd> sessions,
    List<InboxChange> inbox,
    List<Memo> memos) {

  public Batch {
    appends = List.copyOf(appends);
    rows = List.copyOf(rows);
    artifacts = List.copyOf(artifacts);
    removals = List.copyOf(removals);
    replies = List.copyOf(replies);
    sessions = List.copyOf(sessions);
    inbox = List.copyOf(inbox);
    memos = List.copyOf(memos);
  }

  public static Builder of(Fence fence) {
    return new Builder(fence);
  }

  /** Gathers a batch part by part. */
  public static final class Builder {
    private final Fence fence;
    private boolean lazy;
    private final List<Append> appends = new ArrayList<>();
    private final List<TaskRow> rows = new ArrayList<>();
    private final List<ArtifactLink> artifacts = new ArrayList<>();
    private final List<Tombstone> removals = new ArrayList<>();
    private final List<RememberedReply> replies = new ArrayList<>();
    private final List<SessionEnd> sessions = new ArrayList<>();
    private final List<InboxChange> inbox = new ArrayList<>();
    private final List<Memo> memos = new ArrayList<>();

    private Builder(Fence fence) {
      this.fence = fence;
    }

    public Builder lazily() {
      lazy = true;
      return this;
    }

    public Builder append(Append append) {
      appends.add(append);
      return this;
    }

    public Builder row(TaskRow row) {
      rows.add(row);
      return this;
    }

    public Builder artifact(ArtifactLink link) {
      artifacts.add(link);
      return this;
    }

    /** Removes the task's frames, row and artifact links, and leaves the tombstone. */
    public Builder remove(Tombstone tombstone) {
      removals.add(tombstone);
      return this;
    }

    public Builder reply(RememberedReply reply) {
      replies.add(reply);
      return this;
    }

    public Builder session(SessionEnd end) {
      sessions.add(end);
      return this;
    }

    public Builder inbox(InboxChange change) {
      inbox.add(change);
      return this;
    }

    public Builder memo(Memo memo) {
      memos.add(memo);
      return this;
    }

    public boolean isEmpty() {
      return appends.isEmpty()
          && rows.isEmpty()
          && artifacts.isEmpty()
          && removals.isEmpty()
          && replies.isEmpty()
          && sessions.isEmpty()
          && inbox.isEmpty()
          && memos.isEmpty();
    }

    public Batch build() {
      return new Batch(
          fence, lazy, appends, rows, artifacts, removals, replies, sessions, inbox, memos);
    }
  }
}
