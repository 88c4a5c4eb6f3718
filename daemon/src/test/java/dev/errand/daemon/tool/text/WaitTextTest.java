package dev.errand.daemon.tool.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.json.JsonFrameCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a waiting task waits for, as an agent reads it. */
final class WaitTextTest {
  private static final long NOW_MS = Instant.parse("2026-03-04T13:05:00Z").toEpochMilli();
  private static final String A = "01a1ee27-6b2c-7003-8000-000000000001";
  private static final String B = "01a1ee27-6b2d-7004-8000-000000000002";

  private static String text(String fields) {
    return sheet(fields).waitText(NOW_MS);
  }

  private static TaskSheet sheet(String fields) {
    var text =
        "{'task_id':'01a1ee28-0000-7000-8000-000000000009','session_id':'s','command':'make',"
            + "'created_at_ms':%d,'status':'queued',%s}".formatted(NOW_MS - 120_000, fields);
    return new TaskSheet(
        new JsonFrameCodec().readStatus(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  private static String queue(String fields) {
    return text("'lane':'shell','queue':{" + fields.replace("A", A).replace("B", B) + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'position':2,'reason':'lane','behind':'A','ahead':{'count':1,'limit':1,'tasks':['B'],'labels':{'A':'build'}} | waits in lane "shell", place 2, behind 01a1ee27-6b2c-7003 ("build")
          'position':1,'reason':'lane' | waits in lane "shell", place 1
          'position':1,'reason':'session_quota','ahead':{'count':0,'limit':2,'tasks':['A','B'],'labels':{'B':'dev'}} | waits for a place: 2 of 2 of this session are taken by 01a1ee27-6b2c-7003, 01a1ee27-6b2d-7004 ("dev")
          'position':2,'reason':'session_quota','ahead':{'count':1,'limit':5,'tasks':['A'],'more':4} | waits for a place after 1 task: 5 of 5 of this session are taken by 01a1ee27-6b2c-7003 and 4 more
          'position':3,'reason':'session_quota' | waits for a place
          'position':3,'reason':'global_quota','ahead':{'count':2,'limit':50,'tasks':['A'],'more':49} | waits for a place after 2 tasks: 50 of 50 of all sessions are taken, in this session by 01a1ee27-6b2c-7003
          'position':1,'reason':'global_quota','ahead':{'count':0,'limit':50,'more':50} | waits for a place: 50 of 50 of all sessions are taken
          'position':1,'reason':'global_quota','ahead':{'count':0,'limit':50,'more':3} | waits for a place
          'position':9,'reason':'place','ahead':{'count':8,'limit':5000,'more':5000} | waits for a place after 8 tasks: 5000 of 5000 commands run
          'reason':'after','behind':'A','ahead':{'count':0,'tasks':['A']} | waits for task 01a1ee27-6b2c-7003 to end
          'reason':'after','behind':'A','ahead':{'count':0,'tasks':['A','B'],'more':1} | waits for tasks 01a1ee27-6b2c-7003, 01a1ee27-6b2d-7004 and 1 more to end
          """)
  void a_queued_task_says_who_is_before_it(String fields, String expected) {
    assertThat(queue(fields)).isEqualTo(expected);
  }

  @Test
  void a_delay_says_how_long_it_still_takes() {
    assertThat(queue("'reason':'delay','until_ms':" + (NOW_MS + 3_200)))
        .isEqualTo("waits for its delay, 3s left");
    assertThat(queue("'reason':'delay','until_ms':" + (NOW_MS - 1)))
        .isEqualTo("waits for its delay, <1s left");
  }

  @Test
  void a_held_task_says_since_when_and_until_when() {
    var hour = 3_600_000L;
    assertThat(text("'waiting_for':{'kind':'approval','until_ms':" + (NOW_MS + hour) + "}"))
        .isEqualTo("waits for a person's approval since 2m 0s, until 14:05 UTC");
    assertThat(text("'waiting_for':{'kind':'approval','until_ms':" + (NOW_MS + 24 * hour) + "}"))
        .isEqualTo("waits for a person's approval since 2m 0s, until 2026-03-05 13:05 UTC");
  }

  @Test
  void what_is_not_known_is_not_said() {
    assertThat(text("'lane':'shell'")).isEqualTo("waits");
  }

  @Test
  void a_digest_says_it_of_every_task_that_waits() {
    var waiting =
        sheet(
            "'title':'%s','queue':{'position':1,'reason':'after','behind':'%s','ahead':{'count':0,'tasks':['%s']}}"
                .formatted("x".repeat(190), A, A));

    var text = new TaskDigest("s", List.of(), List.of(waiting), List.of(), 0, 0).text(NOW_MS);

    assertThat(text).contains("x…; waits for task 01a1ee27-6b2c-7003 to end\n");
  }
}
