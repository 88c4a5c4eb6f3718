package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.screen.ScreenText;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Shows what is seen of a task's terminal, now or after an earlier frame. */
public final class LookAtScreen extends Verb<LookAtScreen.Request, LookAtScreen.Seen> {
  private final TaskViews views;
  private final Screens screens;
  private final ComputePool compute;
  private final ResultReads reads;

  /**
   * What is asked.
   *
   * @param atSeq the frame after which it is wanted; null for now
   * @param scrollback whether the lines that have scrolled off are wanted too
   */
  public record Request(TaskId taskId, @Nullable Long atSeq, boolean scrollback)
      implements OfTask {}

  /** A screen, for the form that a door gives it. */
  public static final class Seen {
    private final TaskId taskId;
    private final Screens.View view;

    private Seen(TaskId taskId, Screens.View view) {
      this.taskId = taskId;
      this.view = view;
    }

    /** The frame after which it looks so. */
    public long seq() {
      return view.screen().seq();
    }

    /** How many bytes of the terminal's log are in it. */
    public long offset() {
      return view.screen().offset();
    }

    /** Whether bytes were missing before, and nothing has cleared the screen since. */
    public boolean approximate() {
      return view.screen().approximate();
    }

    /** Everything but the colours. */
    public ObjectNode json() {
      return ScreenText.json(taskId, view);
    }

    /** Lines without any control character but their ends. */
    public String plain() {
      return ScreenText.plain(view);
    }

    /** Sequences that bring a fresh terminal into this state. */
    public String ansi() {
      return ScreenText.ansi(view.screen());
    }

    /** A page that stands alone. */
    public String html() {
      return ScreenText.html(view);
    }
  }

  LookAtScreen(Verbs.Parts parts) {
    super("look_at_screen", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.views = parts.work().views();
    this.screens = parts.output().screens();
    this.compute = parts.output().compute();
    this.reads = parts.work().reads();
  }

  @Override
  Seen answer(Ask ask, Request request) throws InterruptedException {
    var row = views.rowOf(request.taskId());
    var share = ask.caller().share(compute);
    var view = screens.view(share, row.id(), request.atSeq(), request.scrollback());
    ask.tells(reads, row);
    return new Seen(row.id(), view);
  }
}
