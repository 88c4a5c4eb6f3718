package dev.errand.daemon.screen;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The modes that a program has set for keys, mouse and cursor form. They change no cell, so the
 * emulator does not know them; an attached terminal needs them.
 */
final class TerminalModes {
  /** Cursor keys, mouse reports and their forms, focus, bracketed paste. */
  private static final Set<Integer> KNOWN =
      Set.of(1, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004);

  private final TreeSet<Integer> on = new TreeSet<>();
  private boolean keypad;
  private int cursorStyle;

  void set(int mode, boolean isOn) {
    if (!KNOWN.contains(mode)) {
      return;
    }
    if (isOn) {
      on.add(mode);
    } else {
      on.remove(mode);
    }
  }

  void keypad(boolean isOn) {
    keypad = isOn;
  }

  void cursorStyle(int style) {
    cursorStyle = style;
  }

  void softReset() {
    on.remove(1);
    keypad = false;
  }

  void reset() {
    on.clear();
    keypad = false;
    cursorStyle = 0;
  }

  /** The sequences that bring a fresh terminal into these modes. */
  List<String> sequences() {
    var sequences = new ArrayList<String>();
    on.forEach(it -> sequences.add("\u001b[?" + it + "h"));
    if (keypad) {
      sequences.add("\u001b=");
    }
    if (cursorStyle > 0) {
      sequences.add("\u001b[" + cursorStyle + " q");
    }
    return sequences;
  }

  void write(DataOutputStream out) throws IOException {
    TerminalFields.writeInts(out, on.stream().mapToInt(Integer::intValue).toArray());
    out.writeBoolean(keypad);
    out.writeInt(cursorStyle);
  }

  void read(DataInputStream in) throws IOException {
    on.clear();
    for (var mode : TerminalFields.readInts(in)) {
      on.add(mode);
    }
    keypad = in.readBoolean();
    cursorStyle = in.readInt();
  }
}
