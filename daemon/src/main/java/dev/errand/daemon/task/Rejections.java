package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskSpec;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Spawns that were refused for another reason than the policy, put on record in the session that
 * wanted them. Who is refused again and again fills no disk: in each minute so many of a session
 * are recorded, and the next one says how many were not.
 */
final class Rejections {
  static final int RECORDED_PER_MINUTE_MAX = 20;
  private static final int SESSIONS_MAX = 1_000;
  private static final int DETAIL_CHARS_MAX = 500;
  private static final int TOOL_CHARS_MAX = 64;
  private static final long MINUTE_MS = 60_000;

  /** What the caller is at fault for, or must wait for; others may have nothing to record on. */
  private static final Set<ErrorCode.Kind> RECORDED =
      Set.of(ErrorCode.Kind.INVALID, ErrorCode.Kind.BUSY);

  private final Engine engine;
  private final InstantSource clock;
  private final Map<SessionId, Minute> minutes = new Minutes();

  Rejections(Engine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  private static final class Minute {
    private long began;
    private int recorded;
    private long unrecorded;
  }

  /** The sessions that were refused something last. */
  private static final class Minutes extends LinkedHashMap<SessionId, Minute> {
    private static final long serialVersionUID = 1L;

    Minutes() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<SessionId, Minute> eldest) {
      return size() > SESSIONS_MAX;
    }
  }

  /** One whose arguments could be read. */
  void record(TaskSpec spec, ErrorCode code, String detail) {
    record(
        spec.origin().sessionId(),
        spec.work().toolName(),
        ArgsDigest.of(spec),
        code,
        detail,
        spec.origin().by());
  }

  void record(
      SessionId session,
      String tool,
      @Nullable String digest,
      ErrorCode code,
      String detail,
      String by) {
    if (!RECORDED.contains(code.kind())) {
      return;
    }
    var unrecorded = enter(session);
    if (unrecorded >= 0) {
      var event =
          new SessionEvent.TaskRejected(
              cut(tool, TOOL_CHARS_MAX),
              digest,
              code,
              null,
              null,
              by,
              cut(detail, DETAIL_CHARS_MAX),
              unrecorded);
      engine.record(session, List.of(event), _ -> {});
    }
  }

  /** How many were not recorded before this one; negative where it is not to be either. */
  private synchronized long enter(SessionId session) {
    var minute = minutes.computeIfAbsent(session, _ -> new Minute());
    var now = clock.millis();
    if (now - minute.began >= MINUTE_MS || now < minute.began) {
      minute.began = now;
      minute.recorded = 0;
    }
    if (minute.recorded >= RECORDED_PER_MINUTE_MAX) {
      minute.unrecorded++;
      return -1;
    }
    minute.recorded++;
    var unrecorded = minute.unrecorded;
    minute.unrecorded = 0;
    return unrecorded;
  }

  private static String cut(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max) + "…";
  }
}
