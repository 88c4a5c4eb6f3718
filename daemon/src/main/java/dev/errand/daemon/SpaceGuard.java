package dev.errand.daemon;

import dev.errand.daemon.store.DiskSpace;
import dev.errand.daemon.store.Reserve;
import java.util.Optional;

/** Keeps disk space free that tasks need to end on a full disk. */
record SpaceGuard(DiskSpace space, Reserve reserve) {

  /**
   * On a full disk the reserve is deleted so that the daemon can start and tasks can be cancelled.
   */
  void makeRoom() {
    reserve.holdIfMade();
    if (space.startShortage().isPresent()) {
      reserve.release();
      space.checkStart();
    } else if (space.shortage().isEmpty()) {
      reserve.hold();
    }
  }

  /**
   * Creates the reserve again if it was deleted; if that fails, returns why no task is accepted.
   */
  Optional<String> holdReserve() {
    var shortage = space.shortage();
    return shortage.isPresent() || reserve.hold()
        ? shortage
        : Optional.of("the disk is full: there is no space for the reserve; free some space");
  }
}
