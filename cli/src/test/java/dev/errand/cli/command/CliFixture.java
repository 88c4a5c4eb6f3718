package dev.errand.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.cli.launch.DaemonLauncher;
import dev.errand.cli.launch.Installation;
import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.Terminal;
import dev.errand.wire.home.ErrandHome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The command line with all around it replaced by what a test can see. */
final class CliFixture implements AutoCloseable {
  static final String ID = "0198f2a3-b1c2-7def-8123-456789abcdef";
  static final String OTHER = "0198f2a3-b1c2-7abc-8123-456789abcdef";
  static final long NOW_MS = 1_800_000_000_000L;

  final ErrandHome home;
  final FakeDaemon daemon;
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final ByteArrayOutputStream err = new ByteArrayOutputStream();
  final Map<String, String> environment = new HashMap<>(Map.of("PATH", "/bin", "SECRET", "x"));
  Terminal terminal = Terminal.NONE;
  byte[] in = new byte[0];
  boolean outIsClosed;

  CliFixture(Path folder) throws IOException {
    home = new ErrandHome(folder);
    daemon = FakeDaemon.in(home);
  }

  int run(String... words) {
    var console =
        new Console(new ByteArrayInputStream(in), outIsClosed ? closed() : out, err, terminal);
    var installation = new Installation("0.1.0", "abc", null);
    var launcher = new DaemonLauncher(home, installation, environment, console);
    var clock = InstantSource.fixed(Instant.ofEpochMilli(NOW_MS));
    var context = new Context(console, environment, home, installation, launcher, clock);
    return new Cli(context).run(List.of(words));
  }

  private static OutputStream closed() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("Broken pipe");
      }
    };
  }

  String out() {
    return out.toString(UTF_8);
  }

  String err() {
    return err.toString(UTF_8);
  }

  /** The body of the last request to this method and path. */
  String sent(String request) {
    return daemon.requests().stream()
        .filter(it -> (it.method() + " " + it.target()).equals(request))
        .reduce((_, last) -> last)
        .orElseThrow(() -> new AssertionError("never asked: " + request))
        .body();
  }

  /** Has the daemon know one task, of this status and these frames. */
  void taskWith(String status, String... frames) {
    daemon
        .on("POST /tasks", "{'task_id':'" + ID + "'}")
        .on("GET /tasks/" + ID, status)
        .frames(ID, List.of(frames));
  }

  /** A status object with these fields, which begin with a comma. */
  static String status(String id, String status, String fields) {
    return """
    {'task_id':'%s','status':'%s','tool':'exec','session_id':'cli','command':'make check',\
    'cwd':'/src','created_at_ms':%d,'last_seq':3%s}\
    """
        .formatted(id, status, NOW_MS - 60_000, fields);
  }

  static String output(int seq, String stream, String chunk, long offset) {
    var bytes = chunk.getBytes(UTF_8).length;
    return """
    {'seq':%d,'timestamp_ms':%d,'type':'tool_task_output_delta','task_id':'%s','stream':'%s',\
    'chunk':'%s','chunk_bytes':%d,'chunk_cut':false,\
    'artifacts':{'log':{'offset_bytes':%d,'bytes':%d}}}\
    """
        .formatted(seq, NOW_MS + seq * 1_000L, ID, stream, escaped(chunk), bytes, offset, bytes);
  }

  /** Output of which the frame has nothing but where it is. */
  static String flood(int seq, String stream, long offset, long bytes) {
    return """
    {'seq':%d,'timestamp_ms':%d,'type':'tool_task_output_delta','task_id':'%s','stream':'%s',\
    'chunk':'','chunk_bytes':0,'chunk_cut':true,\
    'artifacts':{'log':{'offset_bytes':%d,'bytes':%d}}}\
    """
        .formatted(seq, NOW_MS + seq * 1_000L, ID, stream, offset, bytes);
  }

  static String end(int seq, String status) {
    return "{'seq':%d,'timestamp_ms':%d,'type':'tool_task_status','task_id':'%s','status':'%s'}"
        .formatted(seq, NOW_MS + seq * 1_000L, ID, status);
  }

  private static String escaped(String text) {
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\u001b", "\\u001b");
  }

  @Override
  public void close() throws IOException {
    daemon.close();
  }
}
