package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read in one sitting stays short enough for it. */
final class SizesTest {
  private static final int SOURCE_LINES_MAX = 500;
  private static final int METHOD_LINES_MAX = 70;
  private static final List<String> SOURCE_ENDINGS = List.of(".java", ".sql", ".sh", ".js", ".css");

  @Test
  void no_source_file_is_longer_than_a_reader_can_hold() {
    var tooLong =
        Checkout.modules().stream()
            .flatMap(it -> Checkout.filesBelow(it.resolve("src")).stream())
            .filter(it -> SOURCE_ENDINGS.stream().anyMatch(it.toString()::endsWith))
            .filter(it -> !it.toString().contains("/vendor/"))
            .filter(it -> lines(it) > SOURCE_LINES_MAX)
            .map(it -> Checkout.ROOT.relativize(it) + " has " + lines(it) + " lines")
            .toList();

    assertThat(tooLong).as("more than %d lines", SOURCE_LINES_MAX).isEmpty();
  }

  @Test
  void no_method_of_the_program_is_longer_than_a_reader_can_hold() throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var sources =
        Checkout.modules().stream()
            .flatMap(it -> Checkout.filesBelow(it.resolve("src/main")).stream())
            .filter(it -> it.toString().endsWith(".java"))
            .toList();

    var tooLong = new ArrayList<String>();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjectsFromPaths(sources);
      var task = (JavacTask) compiler.getTask(null, files, null, null, null, units);
      var positions = Trees.instance(task).getSourcePositions();
      task.parse().forEach(it -> tooLong.addAll(longMethods(it, positions)));
    }

    assertThat(sources).hasSizeGreaterThan(500);
    assertThat(tooLong).as("more than %d lines", METHOD_LINES_MAX).isEmpty();
  }

  private static List<String> longMethods(CompilationUnitTree unit, SourcePositions positions) {
    var found = new ArrayList<String>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void none) {
        var lines = method.getBody() == null ? 0 : lines(unit, method.getBody(), positions);
        if (lines > METHOD_LINES_MAX) {
          var file = Checkout.ROOT.relativize(Path.of(unit.getSourceFile().toUri()));
          found.add("%s of %s has %d lines".formatted(method.getName(), file, lines));
        }
        return super.visitMethod(method, null);
      }
    }.scan(unit, null);
    return found;
  }

  private static long lines(CompilationUnitTree unit, Tree tree, SourcePositions positions) {
    var last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree));
    return last - unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree)) + 1;
  }

  @ParameterizedTest
  @CsvSource({"README.md, 150", "ARCHITECTURE.md, 180", "STYLE.md, 150", "CONTRIBUTING.md, 80"})
  void a_root_document_keeps_to_its_length(String name, int linesMax) {
    var document = Checkout.ROOT.resolve(name);

    assertThat(lines(document)).as("lines of %s", name).isLessThanOrEqualTo(linesMax);
  }

  private static long lines(Path file) {
    return Files.exists(file) ? Checkout.read(file).lines().count() : 0;
  }
}
