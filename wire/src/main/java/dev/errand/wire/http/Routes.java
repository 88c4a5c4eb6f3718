package dev.errand.wire.http;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The paths of the HTTP surface: whole ones, and the last part of those below a task. */
public final class Routes {
  public static final String TASKS = "/tasks";

  /** Frames of all tasks and sessions. */
  public static final String EVENTS = "/events";

  public static final String ARTIFACTS = "/artifacts";
  public static final String HEALTH = "/healthz";
  public static final String READY = "/readyz";
  public static final String METRICS = "/metrics";
  public static final String VERSION = "/version";
  public static final String TOKENS = "/tokens";
  public static final String GC = "/admin/gc";
  public static final String CONFIG = "/admin/config";
  public static final String RELOAD = "/admin/reload";
  public static final String PROCESSES = "/admin/processes";
  public static final String PROCESSES_END = PROCESSES + "/end";
  public static final String SHUTDOWN = "/admin/shutdown";

  /** What agents call by name. */
  public static final String TOOLS = "/tools";

  public static final String TASK_EVENTS = "events";
  public static final String TASK_OUTPUT = "output";
  public static final String TASK_CANCEL = "cancel";
  public static final String TASK_SIGNAL = "signal";
  public static final String TASK_STDIN = "stdin";
  public static final String TASK_RESIZE = "resize";
  public static final String TASK_WAIT = "wait";
  public static final String TASK_APPROVE = "approve";
  public static final String TASK_DENY = "deny";
  public static final String TASK_ATTACH = "attach";

  public static final String TASK_SCREEN = "screen";

  public static final String SESSIONS = "/sessions";
  public static final String BATCHES = "/batches";
  public static final String SESSION_INBOX = "inbox";
  public static final String SESSION_WEBHOOK = "webhook";

  private Routes() {}

  public static String task(TaskId taskId) {
    return TASKS + "/" + taskId.value();
  }

  public static String events(TaskId taskId) {
    return task(taskId) + "/" + TASK_EVENTS;
  }

  public static String output(TaskId taskId) {
    return task(taskId) + "/" + TASK_OUTPUT;
  }

  public static String cancel(TaskId taskId) {
    return task(taskId) + "/" + TASK_CANCEL;
  }

  public static String signal(TaskId taskId) {
    return task(taskId) + "/" + TASK_SIGNAL;
  }

  public static String resize(TaskId taskId) {
    return task(taskId) + "/" + TASK_RESIZE;
  }

  public static String stdin(TaskId taskId) {
    return task(taskId) + "/" + TASK_STDIN;
  }

  public static String wait(TaskId taskId) {
    return task(taskId) + "/" + TASK_WAIT;
  }

  public static String approve(TaskId taskId) {
    return task(taskId) + "/" + TASK_APPROVE;
  }

  public static String deny(TaskId taskId) {
    return task(taskId) + "/" + TASK_DENY;
  }

  public static String attach(TaskId taskId) {
    return task(taskId) + "/" + TASK_ATTACH;
  }

  public static String screen(TaskId taskId) {
    return task(taskId) + "/" + TASK_SCREEN;
  }

  public static String session(SessionId sessionId) {
    return SESSIONS + "/" + sessionId.value();
  }

  public static String inbox(SessionId sessionId) {
    return session(sessionId) + "/" + SESSION_INBOX;
  }

  public static String acknowledge(SessionId sessionId) {
    return inbox(sessionId) + "/ack";
  }

  public static String webhook(SessionId sessionId) {
    return session(sessionId) + "/" + SESSION_WEBHOOK;
  }

  public static String token(String name) {
    return TOKENS + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  public static String tool(String name) {
    return TOOLS + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  public static String artifact(String sha256) {
    return ARTIFACTS + "/" + sha256;
  }

  public static String session(String id) {
    return SESSIONS + "/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  public static String batch(String id) {
    return BATCHES + "/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  public static String batchCancel(String id) {
    return batch(id) + "/" + TASK_CANCEL;
  }

  public static String batchWait(String id) {
    return batch(id) + "/" + TASK_WAIT;
  }
}
