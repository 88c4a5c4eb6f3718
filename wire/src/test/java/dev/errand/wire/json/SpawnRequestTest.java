package dev.errand.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Plan;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpawnRequestTest {
  private static final SpawnRequest.Defaults DEFAULTS =
      new SpawnRequest.Defaults(
          new SessionId("default"),
          "/srv",
          null,
          Duration.ofSeconds(5),
          Duration.ofSeconds(2),
          1L << 30,
          100_000,
          new ResourceLimits(null, 64L, null, null, null),
          Duration.ofHours(24));

  @Test
  void a_short_request_takes_the_defaults() {
    var spec = spec("{'tool':'bash','args':{'command':'ls'}}");

    assertThat(spec.origin())
        .isEqualTo(new TaskSpec.Origin(new SessionId("default"), "uid:1", null, null, null));
    var command = (Command) spec.work();
    assertThat(command.toolName()).isEqualTo("bash");
    assertThat(command.invocation()).isEqualTo(new Invocation.Shell("ls"));
    assertThat(command.cwd()).isEqualTo("/srv");
    assertThat(command.environment()).isEqualTo(Environment.NONE);
    assertThat(command.io().stdin()).isFalse();
    assertThat(command.io().capBytes()).isEqualTo(1L << 30);
    assertThat(command.limits().wall()).isNull();
    assertThat(command.limits().grace()).hasSeconds(5);
    assertThat(command.onRestart()).isEqualTo(Command.OnRestart.LOST);
  }

  @Test
  void a_full_request_is_taken_at_its_word() {
    var spec =
        spec(
            "{'tool':'exec','args':{'argv':['make','-j2'],'cwd':'sub/../app','env':{'A':'1'}},"
                + "'title':'T','execution_mode':'pipes','origin_session_id':'o','session_id':'s1',"
                + "'label':'l','timeout_secs':1.5,'idle_timeout_secs':60,'grace_secs':0,"
                + "'drain_secs':3,'leftover':'keep','on_restart':'requeue',"
                + "'on_output_limit':'kill','artifact_max_bytes':8192,'stdin':true,"
                + "'limits':{'memory_bytes':1048576,'cpu_secs':3,'open_files':8,"
                + "'file_size_bytes':4}}");

    assertThat(spec)
        .isEqualTo(
            new TaskSpec(
                new TaskSpec.Origin(new SessionId("s1"), "uid:1", "l", "T", "o"),
                new Command(
                    "exec",
                    new Invocation.Program(List.of("make", "-j2")),
                    "/srv/app",
                    new Environment(Map.of("A", "1")),
                    new Command.Io(
                        Command.ExecutionMode.PIPES,
                        true,
                        8192,
                        Command.OnOutputLimit.KILL,
                        100_000),
                    new Command.Limits(
                        Duration.ofMillis(1500),
                        Duration.ofSeconds(60),
                        Duration.ZERO,
                        Duration.ofSeconds(3),
                        Command.Leftover.KEEP,
                        new ResourceLimits(1L << 20, 64L, 3L, 8L, 4L)),
                    Command.OnRestart.REQUEUE)));
  }

  @Test
  void a_terminal_has_a_size_and_input_and_does_not_wait_for_ever() {
    var body = "{'tool':'bash','args':{'command':'x'},'execution_mode':'pty'%s}";

    assertThat(command(body.formatted("")).io().terminal()).isEqualTo(TerminalSize.DEFAULT);
    assertThat(command(body.formatted("")).io().stdin()).isTrue();
    assertThat(command(body.formatted("")).limits().idle()).hasHours(24);
    assertThat(command(body.formatted(",'rows':50,'cols':null")).io().terminal())
        .isEqualTo(new TerminalSize(50, 80));
    assertThat(command(body.formatted(",'idle_timeout_secs':7")).limits().idle()).hasSeconds(7);
  }

  @Test
  void a_task_says_how_much_of_its_output_is_shown_item_by_item() {
    var body = "{'tool':'bash','args':{'command':'x'}%s}";

    assertThat(command(body.formatted("")).io().shownBytesMax()).isNull();
    assertThat(command(body.formatted(",'max_output_bytes':null")).io().shownBytesMax()).isNull();
    assertThat(command(body.formatted(",'max_output_bytes':1")).io().shownBytesMax()).isEqualTo(1);
    assertThat(refusal(body.formatted(",'max_output_bytes':0")))
        .hasMessageContaining("max_output_bytes is 0");
  }

  @Test
  void a_task_says_how_it_is_fitted_in_among_others() {
    var id = "01890a5d-ac96-774b-bcce-b302099a8057";
    var spec =
        spec(
            "{'tool':'bash','args':{'command':'x'},'lane':'build','priority':'high','after':['%s'],"
                    .formatted(id)
                + "'after_any':['%s'],'delay_ms':1500,'batch_id':'b-1','service':true,"
                    .formatted(id)
                + "'execution_mode':'pty'}");

    assertThat(spec.plan())
        .isEqualTo(
            new Plan(
                "build",
                Plan.Priority.HIGH,
                List.of(new TaskId(id)),
                List.of(new TaskId(id)),
                Duration.ofMillis(1500),
                "b-1",
                false,
                true,
                null,
                0,
                List.of()));
    assertThat(((Command) spec.work()).limits().idle()).as("a service may be quiet").isNull();
  }

  @Test
  void a_task_says_what_is_to_be_noticed_of_it() {
    var spec =
        spec(
            "{'tool':'bash','args':{'command':'x'},'notify':false,'watch':["
                + "{'event':'err','regex':'E+','scope':'stderr','once':true},"
                + "{'event':'any','regex':'x','scope':'both'},{'event':'quiet','silence_ms':5}],"
                + "'ready_when':{'http':'http://127.0.0.1:1/'}}");

    assertThat(spec.watching())
        .isEqualTo(
            new WatchSpec(
                WatchSpec.Notify.SILENT,
                List.of(
                    new Watcher("err", new WatchCondition.Regex("E+", LogStream.STDERR), true),
                    new Watcher("any", new WatchCondition.Regex("x", null), false),
                    new Watcher("quiet", new WatchCondition.Silence(Duration.ofMillis(5)), false)),
                new WatchCondition.Http("http://127.0.0.1:1/")));
    assertThat(spec("{'tool':'bash','args':{'command':'x'},'notify':true}").watching())
        .isEqualTo(WatchSpec.NONE);
  }

  @Test
  void the_value_of_a_secret_is_not_in_the_spec() {
    var body =
        "{'tool':'bash','args':{'command':'x','env':{'K':'hunter2','L':'open'},"
            + "'secret_env':['K']}}";

    var request = SpawnRequest.of(Json.readRequest(bytes(body)));

    assertThat(request.work().secrets()).isEqualTo(new Environment(Map.of("K", "hunter2")));
    var command = (Command) request.spec("uid:1", DEFAULTS).work();
    assertThat(command.environment()).isEqualTo(new Environment(Map.of("L", "open"), Set.of("K")));
    assertThat(request.toString()).doesNotContain("hunter2");
    assertThat(refusal(body.replace("'x'", "'x hunter2'"))).hasMessageNotContaining("hunter2");
  }

  @Test
  void the_cap_and_stdin_may_stand_in_the_args() {
    var command =
        command("{'tool':'shell','args':{'command':'x','artifact_max_bytes':4096,'stdin':true}}");

    assertThat(command.io().capBytes()).isEqualTo(4096);
    assertThat(command.io().stdin()).isTrue();
  }

  @Test
  void a_shell_tool_takes_argv_too_and_null_is_not_given() {
    var command = command("{'tool':'bash','args':{'command':null,'argv':['ls']},'label':null}");

    assertThat(command.invocation()).isEqualTo(new Invocation.Program(List.of("ls")));
  }

  @Test
  void why_it_is_wanted_is_optional_and_bounded() {
    var body = "{'tool':'bash','args':{'command':'ls'},'justification':%s}";
    assertThat(request("{'tool':'bash','args':{'command':'ls'}}").justification()).isNull();
    assertThat(request(body.formatted("null")).justification()).isNull();
    assertThat(request(body.formatted("'to see'")).justification()).isEqualTo("to see");
    assertThat(refusal(body.formatted("' '"))).hasMessageContaining("says why");
    assertThat(refusal(body.formatted("'" + "x".repeat(1001) + "'")))
        .hasMessageContaining("at most 1000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                                     | the body is an array",
        "{'args':{'command':'x'}}                               | tool is missing",
        "{'tool':7,'args':{'command':'x'}}                      | tool is 7; it must be a string",
        "{'tool':'python','args':{}}                            | one of bash, shell, exec",
        "{'tool':'bash'}                                        | args.command or args.argv is"
            + " missing",
        "{'tool':'bash','args':'ls'}                            | args is a string; it must be a JSON"
            + " object",
        "{'tool':'bash','args':{'command':'  '}}                | args.command is \"  \"",
        "{'tool':'exec','args':{'command':'ls'}}                | use the tool bash",
        "{'tool':'bash','args':{'command':'a','argv':['b']}}    | both given",
        "{'tool':'exec','args':{'argv':[]}}                     | a program, then its arguments",
        "{'tool':'exec','args':{'argv':['a',1]}}                | args.argv[1] is a number",
        "{'tool':'exec','args':{'argv':['a\\u0000']}}           | args.argv[0] contains a NUL",
        "{'tool':'exec','args':{'argv':['\\ud800']}}            | half of a surrogate pair",
        "{'tool':'bash','args':{'command':'x','cwd':''}}        | args.cwd is \"\"",
        "{'tool':'bash','args':{'command':'x','env':{'A=B':''}}}| is 1 to 255 letters",
        "{'tool':'bash','args':{'command':'x','env':{'':''}}}    | is 1 to 255 letters",
        "{'tool':'bash','args':{'command':'x','env':{'1A':''}}}  | is 1 to 255 letters",
        "{'tool':'bash','args':{'command':'x','env':{'A B':''}}} | is 1 to 255 letters",
        "{'tool':'bash','args':{'command':'x','env':{'BASH_FUNC_ls%%':'() { :; }'}}}"
            + "| is 1 to 255 letters",
        "{'tool':'bash','args':{'command':'x','env':{'A':1}}}   | args.env.A is not a string",
        "{'tool':'bash','args':{'command':'x','colour':1}}      | there is no field args.colour",
        "{'tool':'bash','args':{'command':'x'},'colour':true}   | there is no field colour",
        "{'tool':'bash','args':{'command':'x'},'notify':'loud'} | true, false or one of done_only,"
            + " state_changes, silent",
        "{'tool':'bash','args':{'command':'x'},'lane':'a b'}    | lane is \"a b\"",
        "{'tool':'bash','args':{'command':'x'},'batch_id':''}   | batch_id is \"\"",
        "{'tool':'bash','args':{'command':'x'},'priority':'top'}| one of low, normal, high",
        "{'tool':'bash','args':{'command':'x'},'after':['01']}  | whole ids of tasks",
        "{'tool':'bash','args':{'command':'x'},'after':'01'}    | an array of strings",
        "{'tool':'bash','args':{'command':'x'},'delay_ms':-1}   | from 0 to 2592000000",
        "{'tool':'bash','args':{'command':'x'},'watch':{}}      | an array of at most 16 watchers",
        "{'tool':'bash','args':{'command':'x'},'watch':[{'event':'e'}]}| this one has none",
        "{'tool':'bash','args':{'command':'x'},'watch':[{'event':'e','regex':'a','port':1}]}| this"
            + " one has regex, port",
        "{'tool':'bash','args':{'command':'x'},'watch':[{'regex':'a'}]}| watch[0].event is missing",
        "{'tool':'bash','args':{'command':'x'},'watch':[{'event':'a b','regex':'a'}]}|"
            + " watch[0].event is",
        "{'tool':'bash','args':{'command':'x'},'watch':[{'event':'e','port':0}]}| watch[0].port is"
            + " 0",
        "{'tool':'bash','args':{'command':'x'},'watch':[{'event':'e','port':1,'scope':'both'}]}|"
            + " only a regex has one",
        "{'tool':'bash','args':{'command':'x'},'watch':[{'event':'e','prompt':false}]}|"
            + " watch[0].prompt is false",
        "{'tool':'bash','args':{'command':'x'},'ready_when':{'event':'e','port':1}}| there is no"
            + " field ready_when.event",
        "{'tool':'bash','args':{'command':'x'},'timeout_secs':0}| from 1 to tasks.max_timeout_secs",
        "{'tool':'bash','args':{'command':'x'},'timeout_secs':1e9999}| from 1 to tasks.max_timeout_secs",
        "{'tool':'bash','args':{'command':'x'},'label':'a b'}   | label is \"a b\"",
        "{'tool':'bash','args':{'command':'x'},'session_id':'-'}| session_id is \"-\"",
        "{'tool':'bash','args':{'command':'x'},'on_restart':'again'}| one of adopt, lost, requeue",
        "{'tool':'bash','args':{'command':'x'},'execution_mode':'tty'}| one of pipes, pty",
        "{'tool':'bash','args':{'command':'x'},'rows':24}       | rows and cols are for a terminal",
        "{'tool':'bash','args':{'command':'x'},'execution_mode':'pipes','cols':80}| leave them out",
        "{'tool':'bash','args':{'command':'x'},'execution_mode':'pty','rows':0}| rows is 0; it must"
            + " be a whole number from 1 to 1000",
        "{'tool':'bash','args':{'command':'x'},'execution_mode':'pty','cols':1001}| cols is 1001",
        "{'tool':'bash','args':{'command':'x'},'execution_mode':'pty','stdin':false}| a terminal"
            + " always has input",
        "{'tool':'bash','args':{'command':'x'},'artifact_max_bytes':5}| from 4096 to",
        "{'tool':'bash','args':{'command':'x','stdin':false},'stdin':true}| say it once",
        "{'tool':'bash','args':{'command':'x','secret_env':['K']}}| args.secret_env[0] is no name of"
            + " a variable in args.env",
        "{'tool':'bash','args':{'command':'x','env':{'K':'abc'},'secret_env':['K']}}| fewer than 4"
            + " bytes",
        "{'tool':'bash','args':{'command':'x hunter2','env':{'K':'hunter2'},'secret_env':['K']}}|"
            + " stands in another field",
        "{'tool':'exec','args':{'argv':['x','-phunter2'],'env':{'K':'hunter2'},'secret_env':['K']}}|"
            + " stands in another field",
        "{'tool':'bash','args':{'command':'x','env':{'K':'hunter2','L':'a:hunter2'},'secret_env':['K']}}|"
            + " mark the other variable",
        "{'tool':'bash','args':{'command':'x','env':{'K':'hunter2'},'secret_env':['K']},'title':'hunter2'}|"
            + " stands in another field",
        "{'tool':'bash','args':{'command':'x'},'limits':{'processes':0}}| limits.processes is 0",
        "{'tool':'bash','args':{'command':'x'},'limits':{'memory_bytes':9}}| from 1048576 to",
        "{'tool':'bash','args':{'command':'x'},'limits':{'memory':9}}| there is no field"
            + " limits.memory",
        "{'tool':'bash','args':{'command':'x'},'limits':5}      | limits is a number; it must be a"
            + " JSON object",
        "{'tool':'bash','args':{'command':'x'},'stdin':'yes'}   | stdin is \"yes\"; it must be true"
            + " or false",
      })
  void a_wrong_field_is_named_with_what_is_allowed(String body, String part) {
    var failure = refusal(body);

    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(failure).hasMessageContaining(part);
  }

  @Test
  void a_command_longer_than_the_kernel_takes_is_refused() {
    var longest = "x".repeat(128 * 1024 - 1);

    assertThat(spec("{'tool':'bash','args':{'command':'" + longest + "'}}")).isNotNull();
    assertThat(refusal("{'tool':'bash','args':{'command':'" + longest + "x'}}"))
        .hasMessageContaining("at most 131072 are allowed");
  }

  @Test
  void too_many_variables_and_too_long_titles_are_refused() {
    var env = new StringBuilder("'A':'0'");
    for (var i = 0; i < 256; i++) {
      env.append(",'V").append(i).append("':''");
    }
    assertThat(refusal("{'tool':'bash','args':{'command':'x','env':{" + env + "}}}"))
        .hasMessageContaining("257 variables");
    var title = "t".repeat(201);
    assertThat(refusal("{'tool':'bash','args':{'command':'x'},'title':'" + title + "'}"))
        .hasMessageContaining("201 characters");
  }

  @Test
  void no_refusal_repeats_the_value_of_a_variable() {
    var failure =
        refusal("{'tool':'bash','args':{'command':'x','env':{'TOKEN':'hunter2\\u0000'}}}");

    assertThat(failure).hasMessageContaining("args.env.TOKEN").hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'args':{'command':'x','secret_env':{'K':'hunter2'}}",
        "'args':{'command':'x','secret_env':'hunter2'}",
        "'args':{'command':'x','secret_env':['K=hunter2']}",
        "'args':{'command':'x','secret_env':[{'K':'hunter2'}]}",
        "'args':{'command':'x','env':['K=hunter2']}",
        "'args':['x',{'env':{'K':'hunter2'}}]",
        "'args':'K=hunter2 x'",
      })
  void no_refusal_repeats_what_may_be_a_secret_in_the_wrong_place(String fields) {
    assertThat(refusal("{'tool':'bash'," + fields + "}")).hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'ready_when':{'http':'http://127.0.0.1:1/?k=hunter2'}",
        "'watch':[{'regex':'^hunter2'}]",
        "'lane':'hunter2'",
        "'batch_id':'a-hunter2'",
        "'justification':'since hunter2 is old'",
        "'execution_mode':'hunter2'",
        "'hunter2':1",
        "'tool':'hunter2'",
        "'label':'hunter2/'",
      })
  void a_secret_stands_in_no_field_that_is_recorded(String field) {
    var args = "'args':{'command':'x','env':{'K':'hunter2\\n'},'secret_env':['K']}";

    assertThat(refusal("{" + args + "," + field + "}"))
        .hasMessageContaining("stands in another field")
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{'a':1}{}", "{'a':1,'a':2}", "nope", "{'a':01}", "[1,]", "NaN"})
  void what_is_not_json_is_refused_with_the_place(String text) {
    assertThat(refusal(text))
        .hasMessageContaining("not JSON")
        .hasMessageContaining("line 1")
        .hasMessageNotContainingAny("Feature", "REDACTED", "nope");
  }

  @Test
  void deep_nesting_is_refused() {
    assertThat(Json.readRequest(bytes("[".repeat(64) + "]".repeat(64)))).isNotNull();
    assertThat(refusal("[".repeat(70) + "]".repeat(70))).hasMessageContaining("64");
  }

  private static Command command(String body) {
    return (Command) spec(body).work();
  }

  private static TaskSpec spec(String body) {
    return request(body).spec("uid:1", DEFAULTS);
  }

  private static SpawnRequest request(String body) {
    return SpawnRequest.of(Json.readRequest(bytes(body)));
  }

  private static ErrandException refusal(String body) {
    var failure = catchThrowableOfType(ErrandException.class, () -> spec(body));
    assertThat(failure).as(body).isNotNull();
    return failure;
  }

  private static byte[] bytes(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }
}
