package dev.errand.daemon.surface.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * The stored form of a reply: a line with its status and content type, a line for each header, an
 * empty line, and the body as it was sent.
 */
final class ReplyCodec {

  private ReplyCodec() {}

  static byte[] encode(Reply.Whole reply) {
    var head = new StringBuilder();
    head.append(reply.status()).append(' ').append(reply.contentType()).append('\n');
    new TreeMap<>(reply.headers())
        .forEach((name, value) -> head.append(name).append(' ').append(value).append('\n'));
    head.append('\n');
    var start = head.toString().getBytes(StandardCharsets.UTF_8);
    var text = Arrays.copyOf(start, start.length + reply.body().length);
    System.arraycopy(reply.body(), 0, text, start.length, reply.body().length);
    return text;
  }

  static Reply.Whole decode(byte[] text) {
    var end = endOfHead(text);
    var lines = new String(text, 0, end, StandardCharsets.UTF_8).split("\n", -1);
    var headers = new TreeMap<String, String>();
    for (var i = 1; i < lines.length; i++) {
      var space = lines[i].indexOf(' ');
      headers.put(lines[i].substring(0, space), lines[i].substring(space + 1));
    }
    var space = lines[0].indexOf(' ');
    return new Reply.Whole(
        Integer.parseInt(lines[0].substring(0, space)),
        lines[0].substring(space + 1),
        headers,
        Arrays.copyOfRange(text, end + 2, text.length));
  }

  private static int endOfHead(byte[] text) {
    for (var i = 0; i + 1 < text.length; i++) {
      if (text[i] == '\n' && text[i + 1] == '\n') {
        return i;
      }
    }
    throw new IllegalStateException("a remembered reply without the end of its head");
  }
}
