package dev.errand.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * A copy of the tree's scripts in a path with spaces, with tools that only print what they are
 * asked.
 *
 * @param tree the copy, as a checkout would be
 * @param home the folder for all state
 * @param tools what stands first on the PATH, empty at first
 * @param temp the folder of them all
 */
record LauncherSandbox(Path tree, Path home, Path tools, Path temp) {
  private static final String SCRIPTS = "dist/src/main/sh";

  private static final Path NO_INPUT = Path.of("/dev/null");

  /**
   * All that the scripts may call beside a JDK and Maven; the machine's own of those are hidden.
   */
  private static final List<String> CORE_TOOLS =
      List.of(
          "awk",
          "cat",
          "chmod",
          "cp",
          "cut",
          "env",
          "find",
          "flock",
          "head",
          "id",
          "ln",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sha256sum",
          "sort",
          "tail",
          "touch");

  static LauncherSandbox in(Path temp) throws IOException {
    var box =
        new LauncherSandbox(
            temp.resolve("a tree with spaces"),
            temp.resolve("its home"),
            temp.resolve("tools"),
            temp);
    Files.createDirectories(box.tools);
    box.copyScripts();
    box.linkCoreTools();
    return box;
  }

  private void copyScripts() throws IOException {
    copy(Checkout.ROOT.resolve("errand"));
    for (var folder : List.of("dist/src/build", SCRIPTS)) {
      for (var script : Checkout.filesBelow(Checkout.ROOT.resolve(folder))) {
        copy(script);
      }
    }
    Files.writeString(tree.resolve("pom.xml"), "");
  }

  private void copy(Path script) throws IOException {
    var target = tree.resolve(Checkout.ROOT.relativize(script).toString());
    Files.createDirectories(target.getParent());
    Files.copy(script, target);
  }

  private void linkCoreTools() throws IOException {
    Files.createDirectories(coreTools());
    for (var name : CORE_TOOLS) {
      for (var folder : List.of("/usr/bin", "/bin")) {
        var tool = Path.of(folder, name);
        if (Files.isExecutable(tool) && !Files.exists(coreTools().resolve(name))) {
          Files.createSymbolicLink(coreTools().resolve(name), tool);
        }
      }
    }
  }

  private Path coreTools() {
    return temp.resolve("core tools");
  }

  String errand() {
    return tree.resolve("errand").toString();
  }

  String findJava() {
    return tree.resolve(SCRIPTS).resolve("find-java").toString();
  }

  String digest() throws IOException {
    return Files.readString(tree.resolve("target/dist/.digest")).strip();
  }

  Path installed() throws IOException {
    return home.resolve("builds").resolve(digest());
  }

  /** A JDK whose `java` prints the environment that concerns us, then its arguments. */
  Path jdk(String name, String version) throws IOException {
    return jdk(
        name,
        version,
        "env | sed -n 's/^ERRAND_/env: &/p' | sort; for it in \"$@\"; do echo \"$it\"; done");
  }

  Path jdk(String name, String version, String java) throws IOException {
    var jdk = temp.resolve("jdks").resolve(name);
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "OTHER=\"1\"\nJAVA_VERSION=\"" + version + "\"\n");
    executable(jdk.resolve("bin/java"), java);
    executable(jdk.resolve("bin/javac"), "");
    return jdk;
  }

  /** A Maven that says what the real one says, and assembles a program without code. */
  void mavenThatBuilds() throws IOException {
    tool(
        "mvn",
        """
        echo built >>'%s/builds'
        echo '[INFO] Building errand-core 0.1.0      [2/9]'
        echo '[INFO] Building errand-wire 0.1.0      [3/9]'
        mkdir -p target/dist/lib
        echo x >target/dist/lib/x.jar
        cp dist/src/main/sh/* target/dist
        dist/src/build/digest target/dist >target/dist/.digest
        touch target/dist/.built target/dist/.trained
        """
            .formatted(tools));
  }

  void tool(String name, String body) throws IOException {
    executable(tools.resolve(name), body);
  }

  private static void executable(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  record Result(int status, String out, String err) {}

  record Running(Process process, Path out, Path err) {}

  Result run(Map<String, String> environment, String... command) throws Exception {
    return finish(start(environment, NO_INPUT, command));
  }

  Result run(Map<String, String> environment, Path input, String... command) throws Exception {
    return finish(start(environment, input, command));
  }

  Running start(Map<String, String> environment, String... command) throws IOException {
    return start(environment, NO_INPUT, command);
  }

  private Running start(Map<String, String> environment, Path input, String... command)
      throws IOException {
    var out = Files.createTempFile(temp, "out", "");
    var err = Files.createTempFile(temp, "err", "");
    var builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.redirectInput(input.toFile());
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools + ":" + coreTools());
    builder.environment().put("ERRAND_HOME", home.toString());
    builder.environment().put("ERRAND_JDK_ROOTS", temp.resolve("jdks").toString());
    builder.environment().putAll(environment);
    return new Running(builder.start(), out, err);
  }

  Result finish(Running running) throws Exception {
    var status = running.process().waitFor();
    return new Result(status, Files.readString(running.out()), Files.readString(running.err()));
  }
}
