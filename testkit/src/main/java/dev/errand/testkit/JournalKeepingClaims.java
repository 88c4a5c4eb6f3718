package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.bytes;
import static dev.errand.testkit.JournalFixture.live;
import static dev.errand.testkit.JournalFixture.session;
import static dev.errand.testkit.JournalFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims about what is kept beside frames and rows: replies and artifacts. */
interface JournalKeepingClaims extends JournalFixture {

  String SHA = "ab".repeat(32);
  String OTHER_SHA = "cd".repeat(32);

  @Test
  default void a_reply_is_remembered_under_all_four_parts_of_its_key() {
    var key = new IdempotencyKey("me", "POST\n/tasks", "k");
    var task = ids().nextTask();
    remember(key, task, 5);

    var reply = journal().reply(key).orElseThrow();

    assertThat(reply).usingRecursiveComparison().isEqualTo(reply(key, task, 5));
    assertThat(text(reply.reply())).isEqualTo("done at 5");
    assertThat(journal().reply(new IdempotencyKey("you", "POST\n/tasks", "k"))).isEmpty();
    assertThat(journal().reply(new IdempotencyKey("me", "PUT\n/tasks", "k"))).isEmpty();
    assertThat(journal().reply(new IdempotencyKey("me", "POST\n/other", "k"))).isEmpty();
    assertThat(journal().reply(new IdempotencyKey("me", "/tasks", "k"))).isEmpty();
    assertThat(journal().reply(new IdempotencyKey("me", "POST\n/tasks", "l"))).isEmpty();
  }

  @Test
  default void a_later_reply_takes_the_place_of_the_earlier() {
    var key = new IdempotencyKey("me", "POST\n/tasks", "k");
    remember(key, null, 5);
    remember(key, null, 6);

    assertThat(journal().reply(key)).get().extracting(RememberedReply::atMs).isEqualTo(6L);
  }

  @Test
  default void old_replies_are_forgotten_unless_their_task_is_there() {
    var there = ids().nextTask();
    var gone = ids().nextTask();
    var fence = journal().takeOver("a");
    journal().commit(Batch.of(fence).row(live(there, "s")).row(live(gone, "s")).build());
    var ofThere = remember(key("there"), there, 10);
    var ofGone = remember(key("gone"), gone, 10);
    var ofNone = remember(key("none"), null, 10);
    var young = remember(key("young"), null, 20);
    remove(gone);

    journal().forgetReplies(20);

    assertThat(journal().reply(ofThere)).isPresent();
    assertThat(journal().reply(ofGone)).isEmpty();
    assertThat(journal().reply(ofNone)).isEmpty();
    assertThat(journal().reply(young)).isPresent();
  }

  @Test
  default void an_artifact_is_kept_by_each_who_links_it() {
    var first = ids().nextTask();
    var second = ids().nextTask();
    link(SHA, first, 1);
    link(SHA, second, 2);
    upload(SHA, "a", 3);
    upload(SHA, "b", 3);
    upload(SHA, "a", 6);
    link(SHA, first, 4);
    link(OTHER_SHA, first, 5);

    assertThat(journal().artifactLinks(SHA))
        .containsExactlyInAnyOrder(
            new ArtifactLink(SHA, first, 100, 4),
            new ArtifactLink(SHA, second, 100, 2),
            ArtifactLink.uploaded(SHA, session("a"), 100, 6),
            ArtifactLink.uploaded(SHA, session("b"), 100, 3));
    assertThat(journal().artifactLinks("ef".repeat(32))).isEmpty();
  }

  @Test
  default void old_uploads_that_no_task_keeps_are_forgotten() {
    var task = ids().nextTask();
    upload(SHA, "a", 10);
    link(SHA, task, 11);
    upload(OTHER_SHA, "a", 10);
    upload("ef".repeat(32), "a", 20);

    assertThat(journal().forgetUploads(20)).containsExactly(OTHER_SHA);
    assertThat(journal().forgetUploads(20)).isEmpty();
    assertThat(journal().artifactLinks(OTHER_SHA)).isEmpty();
    assertThat(journal().artifactLinks(SHA)).hasSize(2);

    remove(task);
    assertThat(journal().artifactLinks(SHA)).hasSize(1);
    assertThat(journal().forgetUploads(21)).containsExactlyInAnyOrder(SHA, "ef".repeat(32));
  }

  @Test
  default void each_session_that_uploaded_the_same_is_forgotten_in_its_own_time() {
    upload(SHA, "a", 10);
    upload(SHA, "b", 20);

    assertThat(journal().forgetUploads(15)).containsExactly(SHA);
    assertThat(journal().artifactLinks(SHA))
        .containsExactly(ArtifactLink.uploaded(SHA, session("b"), 100, 20));
  }

  private static IdempotencyKey key(String name) {
    return new IdempotencyKey("me", "POST\n/tasks", name);
  }

  private static RememberedReply reply(IdempotencyKey key, @Nullable TaskId taskId, long atMs) {
    return new RememberedReply(key, "digest", bytes("done at " + atMs), taskId, atMs);
  }

  private IdempotencyKey remember(IdempotencyKey key, @Nullable TaskId taskId, long atMs) {
    var fence = journal().takeOver("a");
    journal().commit(Batch.of(fence).reply(reply(key, taskId, atMs)).build());
    return key;
  }

  private void link(String sha256, TaskId taskId, long atMs) {
    link(new ArtifactLink(sha256, taskId, 100, atMs));
  }

  private void upload(String sha256, String session, long atMs) {
    link(ArtifactLink.uploaded(sha256, session(session), 100, atMs));
  }

  private void link(ArtifactLink link) {
    journal().commit(Batch.of(journal().takeOver("a")).artifact(link).build());
  }

  private void remove(TaskId taskId) {
    var tombstone = new Tombstone(taskId, session("s"), 1, "old", "me", "bob");
    journal().commit(Batch.of(journal().takeOver("a")).remove(tombstone).build());
  }
}
