package dev.errand.daemon.store;

/**
 * The home that a journal belongs to: its random id, and its folder at the last start.
 *
 * @param boot the boot in which the device number is valid: another boot may assign other numbers
 */
public record HomeMark(String id, long device, long inode, String boot) {

  /** Whether both mean the same folder: a rename keeps it, a copy does not. */
  public boolean isSamePlace(HomeMark other) {
    var comparable = boot.equals(other.boot);
    return inode == other.inode && (device == other.device || !comparable);
  }
}
