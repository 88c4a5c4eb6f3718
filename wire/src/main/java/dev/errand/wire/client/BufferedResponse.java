package dev.errand.wire.client;

import dev.errand.wire.json.JsonFields;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A successful response with its whole body. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record BufferedResponse(Map<String, String> headers, byte[] body) {

  @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  long number(String header, long whenMissing) {
    var text = header(header);
    return text == null ? whenMissing : Long.parseLong(text);
  }

  JsonFields json() {
    return JsonFields.of(body);
  }
}
