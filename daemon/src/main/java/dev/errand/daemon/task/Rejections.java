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
 * Records spawns that were refused for another reason than the policy, in the session of the
 * request. Repeated refusals cannot fill the disk: a limited number per session and minute is
 * recorded, and the next record says how many were skipped.
 */
final class Rejections {
  static final int RECORDED_PER_MINUTE_MAX = 20;
  private static final int SESSIONS_MAX = 1_000;
  private static final int DETAIL_CHARS_MAX = 500;
  private static final int TOOL_CHARS_MAX = 64;
  private static final long MINUTE_MS = 60_000;

  /** The caller's fault, or a limit; other failures may prevent recording too. */
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

  /** The sessions with the latest refusals. */
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

  /** A refused spawn whose arguments could be read. */
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

  /** How many were skipped before this one; negative if this one is skipped too. */
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
