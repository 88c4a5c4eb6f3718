package dev.errand.cli.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class KeyboardTest {

  @Test
  void keys_go_to_the_borrower_until_it_gives_the_keyboard_back() throws Exception {
    try (var typing = new PipedOutputStream();
        var in = new PipedInputStream(typing)) {
      var typed = new Semaphore(0);
      var keyboard = new Keyboard(in, typed::release);
      keyboard.start();
      var pressed = new ArrayList<Key>();
      typing.write("a".getBytes(UTF_8));
      typing.flush();
      typed.acquire();
      pressed.addAll(keyboard.pressed());

      var lent = keyboard.lend();
      typing.write("bc".getBytes(UTF_8));
      typing.flush();
      assertThat(new String(lent.readNBytes(2), UTF_8)).isEqualTo("bc");
      lent.close();
      assertThat(lent.read()).isEqualTo(-1);

      typing.write("d".getBytes(UTF_8));
      typing.flush();
      typed.acquire();
      pressed.addAll(keyboard.pressed());
      assertThat(pressed).containsExactly(new Key.Typed('a'), new Key.Typed('d'));
    }
  }

  @Test
  void the_end_of_the_terminal_is_the_end_of_the_board() throws Exception {
    var typed = new Semaphore(0);
    var keyboard = new Keyboard(InputStream.nullInputStream(), typed::release);
    keyboard.start();
    typed.acquire();

    assertThat(keyboard.pressed()).containsExactly(Key.Named.INTERRUPT);
  }
}
