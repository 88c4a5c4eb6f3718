package dev.errand.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The arguments as they were typed. The JVM replaces bytes that it cannot decode, which could run
 * another command than was typed; so an argument with a replacement character is read again from
 * the kernel.
 */
final class TypedArguments {
  private static final String TYPED = "/proc/self/cmdline";
  private static final char REPLACED = '\uFFFD';

  private TypedArguments() {}

  /** Empty if an argument is not valid UTF-8. */
  static Optional<List<String>> asTyped(String[] words) {
    // A loop, since every command runs this before any other class is loaded.
    for (var word : words) {
      if (word.indexOf(REPLACED) >= 0) {
        return asked(words.length);
      }
    }
    return Optional.of(List.of(words));
  }

  private static Optional<List<String>> asked(int count) {
    try {
      return Optional.of(last(count, Files.readAllBytes(Path.of(TYPED))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The last words of a command line in the kernel's form: each ends with a NUL. */
  static List<String> last(int count, byte[] line) throws CharacterCodingException {
    var ends = new ArrayList<Integer>();
    for (var i = 0; i < line.length; i++) {
      if (line[i] == 0) {
        ends.add(i);
      }
    }
    var words = new ArrayList<String>();
    for (var i = ends.size() - count; i < ends.size(); i++) {
      var begin = i == 0 ? 0 : ends.get(i - 1) + 1;
      var bytes = ByteBuffer.wrap(line, begin, ends.get(i) - begin);
      words.add(UTF_8.newDecoder().decode(bytes).toString());
    }
    return words;
  }
}
