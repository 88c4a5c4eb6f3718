package dev.errand.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts, read by the shells that they are for. */
final class CompletionTest {
  @TempDir Path folder;
  private CliFixture cli;

  @BeforeEach
  void open() throws IOException {
    cli = new CliFixture(Files.createDirectory(folder.resolve("home")));
    // Stands for the program where a script asks it for tasks.
    var program = folder.resolve("errand");
    Files.writeString(program, "#!/bin/sh\nprintf 'web\\trunning\\n0198f2a3\\texited\\n'\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  @AfterEach
  void close() throws IOException {
    cli.close();
  }

  @Test
  void bash_completes_verbs_options_values_and_tasks() throws Exception {
    assertThat(bash("can")).containsExactly("cancel");
    assertThat(bash("status", "w")).containsExactly("web");
    assertThat(bash("status", "")).containsExactly("web", "0198f2a3");
    assertThat(bash("ls", "--act")).containsExactly("--active");
    assertThat(bash("token", "r")).containsExactly("rotate", "revoke");
    assertThat(bash("spawn", "--cwd", "err")).as("a file").containsExactly("errand");
    assertThat(bash("run", "--", "tr", "err")).containsExactly("errand");
    assertThat(bash("ls", "--session", "")).isEmpty();
    assertThat(bash("help", "vers")).containsExactly("version");
    assertThat(bash("nothing", "--x")).isEmpty();
  }

  private List<String> bash(String... words) throws Exception {
    var line = String.join(" ", List.of(words).stream().map(it -> "'" + it + "'").toList());
    return run(
        cli("bash"),
        "bash",
        "--norc",
        "-c",
        """
        PATH=$PWD:$PATH; . ./script; COMP_WORDS=(errand %s); COMP_CWORD=%d; _errand
        for it in "${COMPREPLY[@]}"; do printf '%%s\\n' "$it"; done
        """
            .formatted(line, words.length));
  }

  @Test
  void zsh_completes_the_same() throws Exception {
    assumeThat(find("zsh")).as("zsh").isNotEmpty();

    assertThat(zsh("''")).contains("cancel:" + summary("cancel"), "run:" + summary("run"));
    assertThat(zsh("status ''")).containsExactly("web:running", "0198f2a3:exited");
    assertThat(zsh("token ''")).containsExactly("ls", "new", "rotate", "revoke");
    assertThat(zsh("ls --")).anyMatch(it -> it.startsWith("--active:"));
    assertThat(zsh("run -- ''")).containsExactly("a program");
  }

  private static String summary(String verb) {
    return CliCommands.get(verb).spec().usageMessage().header()[0];
  }

  /** The completion system itself wants a terminal, so its few functions are stood in for. */
  private List<String> zsh(String words) throws Exception {
    return run(
        cli("zsh"),
        find("zsh"),
        "-f",
        "-c",
        """
        PATH=$PWD:$PATH
        compdef() { }; _files() { print 'a file' }; _command_names() { print 'a program' }
        _describe() { print -l -- ${(P)2} }
        . ./script; words=(errand %s); CURRENT=$#words; _errand
        """
            .formatted(words));
  }

  @Test
  void fish_completes_the_same() throws Exception {
    assumeThat(find("fish")).as("fish").isNotEmpty();

    assertThat(fish("errand can")).containsExactly("cancel");
    assertThat(fish("errand status ")).contains("web", "0198f2a3");
    assertThat(fish("errand ls --act")).containsExactly("--active");
    assertThat(fish("errand token r")).containsExactlyInAnyOrder("rotate", "revoke");
  }

  private List<String> fish(String line) throws Exception {
    return run(
            cli("fish"),
            find("fish"),
            "--no-config",
            "-c",
            "set PATH $PWD $PATH; source ./script; complete -C '" + line + "'")
        .stream()
        .map(it -> it.split("\t", 2)[0])
        .toList();
  }

  @Test
  void tasks_are_listed_by_label_and_id_and_in_silence_without_a_daemon() throws Exception {
    cli.daemon.on(
        "GET /tasks?", "[" + CliFixture.status(CliFixture.ID, "running", ",'label':'web'") + "]");

    assertThat(cli.run("completion", "tasks")).isZero();
    assertThat(cli.out())
        .isEqualTo("web\trunning make check\n" + CliFixture.ID + "\trunning make check\n");

    cli.daemon.close();
    Files.delete(cli.home.daemonFile());
    cli.out.reset();
    assertThat(cli.run("completion", "tasks")).isZero();
    assertThat(cli.out() + cli.err()).isEmpty();
  }

  @Test
  void an_unknown_shell_is_refused() {
    assertThat(cli.run("completion", "tcsh")).isEqualTo(2);
  }

  private String cli(String shell) {
    cli.out.reset();
    assertThat(cli.run("completion", shell)).isZero();
    return cli.out();
  }

  private List<String> run(String script, String... command) throws Exception {
    Files.writeString(folder.resolve("script"), script);
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var out = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return out.lines().toList();
  }

  private static String find(String program) {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .map(it -> Path.of(it, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse("");
  }
}
