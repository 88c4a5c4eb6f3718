package dev.errand.daemon.store;

import dev.errand.core.task.TaskId;
import java.util.List;

/** What a journal that lies in files found damaged in them, and what is done about it. */
public interface Damages {

  /** Of a journal that has no files. */
  Damages NONE =
      new Damages() {
        @Override
        public int damagedStreams() {
          return 0;
        }

        @Override
        public boolean isSuspect() {
          return false;
        }

        @Override
        public void inspect() {}

        @Override
        public void recovered() {}

        @Override
        public List<TaskId> withoutRow() {
          return List.of();
        }
      };

  /** How many streams have a frame that was found damaged or gone. */
  int damagedStreams();

  /** Whether damage was found that the next start can mend. */
  boolean isSuspect();

  /** Looks through all that is kept, which takes a while; what it finds makes it suspect. */
  void inspect();

  /** All that was lost and could be made anew has been, so this is not looked for again. */
  void recovered();

  /** Tasks of which frames are left and the view row is not, after the journal was mended. */
  List<TaskId> withoutRow();
}
