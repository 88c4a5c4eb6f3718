package dev.errand.daemon.store.memory;

import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tombstones, remembered replies and artifact links; used under the journal's lock. */
final class RetainedRecords {
  /** The prefix of the session of an uploaded artifact; no task id begins with it. */
  private static final String UPLOAD = "/";

  private final Map<String, Tombstone> tombstones = new HashMap<>();
  private final Map<IdempotencyKey, RememberedReply> replies = new HashMap<>();
  private final Map<String, Map<String, ArtifactLink>> linksByArtifact = new HashMap<>();
  private final Map<String, Set<String>> artifactsByTask = new HashMap<>();

  void checkNotRemoved(String taskId) {
    if (tombstones.containsKey(taskId)) {
      throw new IllegalStateException("task " + taskId + " was removed");
    }
  }

  void bury(Tombstone tombstone) {
    var taskId = tombstone.taskId().value();
    tombstones.putIfAbsent(taskId, tombstone);
    var artifacts = artifactsByTask.remove(taskId);
    if (artifacts != null) {
      artifacts.forEach(sha256 -> unlink(sha256, taskId));
    }
  }

  Optional<Tombstone> tombstone(TaskId taskId) {
    return Optional.ofNullable(tombstones.get(taskId.value()));
  }

  void remember(RememberedReply reply) {
    replies.put(reply.key(), reply);
  }

  Optional<RememberedReply> reply(IdempotencyKey key) {
    return Optional.ofNullable(replies.get(key));
  }

  boolean forgetReplies(long beforeMs, View view) {
    return replies
        .values()
        .removeIf(it -> it.atMs() < beforeMs && (it.taskId() == null || !view.has(it.taskId())));
  }

  void link(ArtifactLink link) {
    var keeper = keeper(link);
    linksByArtifact.computeIfAbsent(link.sha256(), _ -> new HashMap<>()).put(keeper, link);
    if (link.taskId() != null) {
      artifactsByTask.computeIfAbsent(keeper, _ -> new HashSet<>()).add(link.sha256());
    }
  }

  private static String keeper(ArtifactLink link) {
    var taskId = link.taskId();
    var uploader = link.uploader();
    return taskId == null ? UPLOAD + (uploader == null ? "" : uploader.value()) : taskId.value();
  }

  List<ArtifactLink> links(String sha256) {
    return List.copyOf(linksByArtifact.getOrDefault(sha256, Map.of()).values());
  }

  List<String> forgetUploads(long beforeMs) {
    var forgotten = new ArrayList<String>();
    linksByArtifact.forEach((sha256, links) -> {
      if (links.values().stream().allMatch(it -> it.taskId() == null)
          && links.values().removeIf(it -> it.atMs() < beforeMs)) {
        forgotten.add(sha256);
      }
    });
    linksByArtifact.values().removeIf(Map::isEmpty);
    return forgotten;
  }

  private void unlink(String sha256, String keeper) {
    var links = linksByArtifact.get(sha256);
    if (links == null) {
      return;
    }
    links.remove(keeper);
    if (links.isEmpty()) {
      linksByArtifact.remove(sha256);
    }
  }
}
