package dev.errand.host.record;

import java.util.Arrays;
import java.util.Base64;

/** Bytes that compare by content and never print. */
public final class Data {
  public static final Data NONE = new Data(new byte[0]);

  private final byte[] bytes;

  private Data(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Data of(byte[] bytes) {
    return new Data(bytes.clone());
  }

  /** The first bytes, up to this number. */
  public static Data startOf(byte[] bytes, int bytesMax) {
    return new Data(Arrays.copyOf(bytes, Math.min(bytes.length, bytesMax)));
  }

  public static Data ofBase64(String text) {
    return new Data(Base64.getDecoder().decode(text));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int length() {
    return bytes.length;
  }

  public String toBase64() {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Data data && Arrays.equals(bytes, data.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The length only: input of a task may be a password. */
  @Override
  public String toString() {
    return "Data[" + bytes.length + " bytes]";
  }
}
