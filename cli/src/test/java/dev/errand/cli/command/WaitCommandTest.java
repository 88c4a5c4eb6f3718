package dev.errand.cli.command;

import static dev.errand.cli.command.CliFixture.ID;
import static dev.errand.cli.command.CliFixture.OTHER;
import static dev.errand.cli.command.CliFixture.status;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code wait}: what it asks for, what it prints, and the code it exits with. */
final class WaitCommandTest extends CliCase {
  @Test
  void wait_gives_the_first_code_that_is_not_zero() {
    cli.daemon.on("POST /tasks/" + ID + "/wait", status(ID, "exited", ",'exit_code':0"));
    cli.daemon.on("POST /tasks/" + OTHER + "/wait", status(OTHER, "exited", ",'exit_code':3"));

    assertThat(cli.run("wait", ID, OTHER)).isEqualTo(3);
    assertThat(cli.out()).isEqualTo("0198f2a3-b1c2 exited 0\n0198f2a3-b1c2 exited 3\n");
  }

  @Test
  void wait_until_prints_what_held_and_exits_with_0() {
    var held =
        ",'timed_out':false,'held':{'index':1,'kind':'text','seq':8,'stream':'stdout','offset':15,"
            + "'end_offset':20,'snippet':'ready \\u001b[1m'}";
    cli.daemon.on("POST /tasks/" + ID + "/wait", status(ID, "running", held));

    assertThat(cli.run("wait", ID, "--until", "port:8080", "--until", "text:a:b|ready")).isZero();

    assertThat(cli.out()).isEqualTo("0198f2a3-b1c2 text stdout@15 ready ^[[1m\n");
    assertThat(cli.daemon.requests().getLast().body())
        .startsWith("{\"until\":{\"any\":[{\"port\":8080},{\"text\":\"a:b|ready\"}]}");
    assertThat(cli.run("wait", ID, "--json", "--until", "idle:2s")).isZero();
    assertThat(cli.out()).contains("\"held\":{\"index\":1,\"kind\":\"text\"");
  }

  @Test
  void wait_until_tells_an_end_from_a_time_that_is_over() {
    var over = ",'exit_code':3,'timed_out':false,'held':null";
    cli.daemon.on("POST /tasks/" + ID + "/wait", status(ID, "exited", over));

    assertThat(cli.run("wait", ID, "--until", "prompt")).isEqualTo(6);
    assertThat(cli.err()).contains("ended before");

    var late = ",'timed_out':true,'held':null,'searched_to':{'stdout':5}";
    cli.daemon.on("POST /tasks/" + ID + "/wait", status(ID, "running", late));
    assertThat(cli.run("wait", ID, "--until", "screen:x", "--timeout", "1ms")).isEqualTo(124);

    var exit = ",'exit_code':3,'timed_out':false,'held':{'index':1,'kind':'exit','seq':9}";
    cli.daemon.on("POST /tasks/" + ID + "/wait", status(ID, "exited", exit));
    assertThat(cli.run("wait", ID, "--until", "text:x", "--until", "exit")).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"forever", "text", "text:", "exit:0", "port:http", "port:70000", "idle:soon"})
  void wait_until_refuses_what_it_does_not_know(String condition) {
    cli.daemon.on("POST /tasks/" + ID + "/wait", status(ID, "running", ""));

    assertThat(cli.run("wait", ID, "--until", condition)).isEqualTo(2);
  }

  @Test
  void wait_says_when_the_time_is_over() {
    cli.daemon.on("POST /tasks/" + ID + "/wait", status(ID, "running", ""));

    assertThat(cli.run("wait", ID, "--any", "--timeout", "1ms")).isEqualTo(124);
    assertThat(cli.err()).contains("none is over yet");
  }
}
