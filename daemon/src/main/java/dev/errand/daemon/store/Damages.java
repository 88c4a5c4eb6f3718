package dev.errand.daemon.store;

import dev.errand.core.task.TaskId;
import java.util.List;

/** Damage that a journal found in its files, and its repair. */
public interface Damages {

  /** For a journal without files. */
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

  /** The number of streams with a damaged or missing frame. */
  int damagedStreams();

  /** Whether damage was found that the next start can repair. */
  boolean isSuspect();

  /** Checks the whole journal, which takes a while; damage makes it suspect. */
  void inspect();

  /** Records that everything that can be rebuilt was rebuilt. */
  void recovered();

  /** Tasks that have frames but no view row after a repair of the journal. */
  List<TaskId> withoutRow();
}
