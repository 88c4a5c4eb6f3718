package dev.errand.daemon.screen;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** What a program with a bad temper might write to its terminal. */
final class RandomTerminalBytes {
  private static final String[] WORDS = {
    "hello",
    "world ",
    "漢字",
    "ünï",
    "🙂",
    "e\u0301",
    "\r\n",
    "\n",
    "\t",
    "\b",
    "x".repeat(30),
    "─│",
    "\u0000"
  };

  private static final String[] SEQUENCES = {
    "[H",
    "[2J",
    "[J",
    "[K",
    "[1K",
    "[?25l",
    "[?25h",
    "[?1049h",
    "[?1049l",
    "[?47h",
    "[?47l",
    "[m",
    "[1;31m",
    "[44m",
    "[49m",
    "[7m",
    "[38;5;200m",
    "[38;2;1;2;3;48;2;200;100;50m",
    "[4:3m",
    "[27m",
    "[39m",
    "7",
    "8",
    "D",
    "M",
    "E",
    "c",
    "(0",
    "(B",
    ")0",
    "[!p",
    "[r",
    "[2;5r",
    "[?6h",
    "[?6l",
    "[4h",
    "[4l",
    "[?7l",
    "[?7h",
    "[20h",
    "[20l",
    "[?5h",
    "[?5l",
    "=",
    ">",
    "[?1h",
    "[?2004h",
    "[?1006h",
    "[2 q",
    "H",
    "[g",
    "[3g",
    "[5b",
    "[I",
    "[Z",
    "[s",
    "[u",
    "[6n",
    "[c",
    "[>4;2m",
    "]0;title\u0007",
    "]2;Über\u001b\\",
    "P1$r0m\u001b\\",
    "[?2026h",
    "#8",
    "[?1048h",
    "[?1048l"
  };

  private static final String LETTERS = "ABCDEFGHLMPSTX@dfae`";

  private RandomTerminalBytes() {}

  static byte[] of(Random random, int parts) {
    var bytes = new ByteArrayOutputStream();
    for (var i = 0; i < parts; i++) {
      bytes.writeBytes(part(random));
    }
    return bytes.toByteArray();
  }

  private static byte[] part(Random random) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> utf8(WORDS[random.nextInt(WORDS.length)]);
      case 5, 6, 7 -> utf8("\u001b" + SEQUENCES[random.nextInt(SEQUENCES.length)]);
      case 8, 9 -> utf8("\u001b[" + random.nextInt(12) + letter(random));
      case 10 -> utf8("\u001b[" + random.nextInt(9) + ";" + random.nextInt(30) + "H");
      default -> noise(random);
    };
  }

  private static char letter(Random random) {
    return LETTERS.charAt(random.nextInt(LETTERS.length()));
  }

  private static byte[] noise(Random random) {
    var bytes = new byte[1 + random.nextInt(4)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
