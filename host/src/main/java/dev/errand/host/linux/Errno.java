package dev.errand.host.linux;

import java.util.Map;

/** The error numbers that the host distinguishes. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int E2BIG = 7;
  public static final int ENOEXEC = 8;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int ENOTDIR = 20;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOSPC = 28;
  public static final int EPIPE = 32;

  private static final Map<Integer, String> WORDS =
      Map.ofEntries(
          Map.entry(EPERM, "operation not permitted"),
          Map.entry(ENOENT, "no such file or directory"),
          Map.entry(ESRCH, "no such process"),
          Map.entry(EIO, "input/output error"),
          Map.entry(E2BIG, "argument list too long"),
          Map.entry(ENOEXEC, "not a program (exec format error)"),
          Map.entry(EAGAIN, "resource temporarily unavailable"),
          Map.entry(ENOMEM, "out of memory"),
          Map.entry(EACCES, "permission denied"),
          Map.entry(ENOTDIR, "not a directory"),
          Map.entry(EINVAL, "invalid argument"),
          Map.entry(ENFILE, "too many open files in the system"),
          Map.entry(EMFILE, "too many open files"),
          Map.entry(ENOSPC, "no space or no terminal left"),
          Map.entry(EPIPE, "broken pipe"));

  private Errno() {}

  public static String words(int errno) {
    return WORDS.getOrDefault(errno, "error " + errno);
  }
}
