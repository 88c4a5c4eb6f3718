package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.screen.ScreenText;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Shows the screen of a task's terminal, now or after an earlier frame. */
public final class LookAtScreen extends Verb<LookAtScreen.Request, LookAtScreen.Seen> {
  private final TaskViews views;
  private final Screens screens;
  private final ComputePool compute;
  private final ResultReads reads;

  /**
   * What is asked.
   *
   * @param atSeq the frame after which it is wanted; null for now
   * @param scrollback whether to include the lines that have scrolled off
   */
  public record Request(TaskId taskId, @Nullable Long atSeq, boolean scrollback)
      implements OfTask {}

  /** A screen, in the form that a door chooses. */
  public static final class Seen {
    private final TaskId taskId;
    private final Screens.View view;

    private Seen(TaskId taskId, Screens.View view) {
      this.taskId = taskId;
      this.view = view;
    }

    /** The frame after which the screen looked so. */
    public long seq() {
      return view.screen().seq();
    }

    /** How many bytes of the terminal's log it includes. */
    public long offset() {
      return view.screen().offset();
    }

    /** Whether bytes were missing before, and the screen has not been cleared since. */
    public boolean approximate() {
      return view.screen().approximate();
    }

    /** Everything but the colours. */
    public ObjectNode json() {
      return ScreenText.json(taskId, view);
    }

    /** Lines without control characters, except line ends. */
    public String plain() {
      return ScreenText.plain(view);
    }

    /** Escape sequences that bring a new terminal into this state. */
    public String ansi() {
      return ScreenText.ansi(view.screen());
    }

    /** A complete HTML page. */
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
