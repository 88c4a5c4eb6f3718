package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.store.memory.MemoryJournal;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a call that is kept to a session may query. */
final class ReachFilterTest {
  private static final SessionId BLUE = new SessionId("blue");
  private static final SessionId RED = new SessionId("red");

  private final MemoryJournal journal = new MemoryJournal();

  private static TaskQuery query(@Nullable SessionId session) {
    return new TaskQuery(session, null, null, Set.of(), null, null, 10);
  }

  @Test
  void a_query_of_another_session_is_refused_and_one_of_all_is_limited() {
    var blue = new ReachFilter(journal, BLUE, false);

    assertThat(blue.limit(query(BLUE))).isEqualTo(query(BLUE));
    assertThat(blue.limit(query(null)).sessionId()).isEqualTo(BLUE);
    assertThatThrownBy(() -> blue.limit(query(RED)))
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }

  @Test
  void who_is_not_kept_to_a_session_queries_any() {
    var all = new ReachFilter(journal, null, false);

    assertThat(all.limit(query(RED))).isEqualTo(query(RED));
    assertThat(all.limit(query(null)).sessionId()).isNull();
  }
}
