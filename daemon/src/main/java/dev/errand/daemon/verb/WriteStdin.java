package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.StdinBody;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes to the standard input of a task, or types at its terminal. */
public final class WriteStdin extends Change<WriteStdin.Request, WriteStdin.Written> {
  public static final List<String> FIELDS = StdinBody.FIELDS;
  private static final String TASK_ID = "task_id";
  private static final String BYTES = "bytes";
  private static final String EOF = "eof";

  private final Tasks tasks;
  private final TaskViews views;

  public record Request(TaskId taskId, StdinBody.Input input) implements TaskChange.OfTask {

    /** Reads the fields of a call. */
    public static Request read(TaskId taskId, RequestFields fields) {
      return new Request(taskId, StdinBody.read(fields));
    }

    /** Keys for a terminal. */
    public static Request typed(TaskId taskId, byte[] keys) {
      return new Request(taskId, StdinBody.Input.typed(keys));
    }

    @Override
    public List<String> words() {
      return List.of(
          taskId.value(),
          String.valueOf(input.writeId()),
          Digests.hex(input.data()),
          "eof " + input.eof(),
          "secret " + input.secret(),
          "keys " + input.keys());
    }
  }

  /** How many bytes were taken, and whether the input was closed after them. */
  public record Written(TaskId taskId, int bytes, boolean eof) {}

  WriteStdin(Verbs.Parts parts) {
    super("stdin", new Access.Controls(Access.Target.TASK), parts.floor());
    this.tasks = parts.work().tasks();
    this.views = parts.work().views();
  }

  @Override
  Written change(Ask ask, Request request, Once<Written> once) throws InterruptedException {
    var taskId = views.rowOf(request.taskId()).id();
    once.concerns(taskId);
    var input = request.input();
    var bytes = tasks.stdin(taskId, input.as(once.opId(), ask.caller().principal()));
    return new Written(taskId, bytes, input.eof());
  }

  @Override
  ObjectNode remembered(Written written) {
    return JsonNodeFactory.instance
        .objectNode()
        .put(TASK_ID, written.taskId().value())
        .put(BYTES, written.bytes())
        .put(EOF, written.eof());
  }

  @Override
  Written again(JsonNode remembered) {
    return new Written(
        new TaskId(remembered.path(TASK_ID).stringValue("")),
        remembered.path(BYTES).intValue(),
        remembered.path(EOF).booleanValue());
  }
}
