package dev.errand.daemon;

import dev.errand.daemon.store.DiskSpace;
import dev.errand.daemon.store.Reserve;
import java.util.Optional;

/** Keeps free what tasks need to come to their end on a full disk. */
record SpaceGuard(DiskSpace space, Reserve reserve) {

  /** On a full disk a daemon starts by what the reserve gives, so that tasks can be cancelled. */
  void makeRoom() {
    reserve.holdIfMade();
    if (space.startShortage().isPresent()) {
      reserve.release();
      space.checkStart();
    } else if (space.shortage().isEmpty()) {
      reserve.hold();
    }
  }

  /** Takes the reserve back if it was given up; says why no task is accepted where it cannot. */
  Optional<String> holdReserve() {
    var shortage = space.shortage();
    return shortage.isPresent() || reserve.hold()
        ? shortage
        : Optional.of("the disk is full: there is no room for the reserve; make room");
  }
}
