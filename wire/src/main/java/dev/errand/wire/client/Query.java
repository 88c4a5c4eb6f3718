package dev.errand.wire.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A path with query parameters; absent ones are left out. */
final class Query {
  private final StringBuilder target;
  private char separator = '?';

  Query(String path) {
    this.target = new StringBuilder(path);
  }

  Query with(String name, @Nullable Object value) {
    if (value != null) {
      target.append(separator).append(name).append('=');
      target.append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
      separator = '&';
    }
    return this;
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
