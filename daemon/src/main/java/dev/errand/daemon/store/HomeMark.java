package dev.errand.daemon.store;

/**
 * What a journal knows of the home that it belongs to: its random id, and its folder as it was at
 * the last start.
 *
 * @param boot in which the number of the device holds: another boot may number them anew
 */
public record HomeMark(String id, long device, long inode, String boot) {

  /** Whether both mean the same folder: a rename keeps it, a copy does not. */
  public boolean isSamePlace(HomeMark other) {
    var comparable = boot.equals(other.boot);
    return inode == other.inode && (device == other.device || !comparable);
  }
}
