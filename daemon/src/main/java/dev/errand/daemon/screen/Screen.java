package dev.errand.daemon.screen;

/**
 * What is seen of a terminal after the frame {@code seq} of its task.
 *
 * @param offset how many bytes of the {@code pty} log are in it; a reader that continues from there
 *     misses nothing and sees nothing twice
 * @param cursor counted from 0
 * @param approximate whether bytes were missing before, and nothing has cleared the screen since
 */
public record Screen(
    long seq,
    long offset,
    int rows,
    int cols,
    Cursor cursor,
    String title,
    boolean alternate,
    boolean approximate,
    Grid grid,
    ScreenDetails details) {

  public record Cursor(int row, int col, boolean visible) {}

  Screen at(long newSeq, boolean isApproximate) {
    return new Screen(
        newSeq, offset, rows, cols, cursor, title, alternate, isApproximate, grid, details);
  }
}
