package dev.errand.wire.http;

/** Names of query parameters. */
public final class Params {

  /** Frames after this seq; -1 or absent is from the first one. */
  public static final String AFTER_SEQ = "after_seq";

  /** {@code false} ends an event stream after the last frame there is. */
  public static final String FOLLOW = "follow";

  public static final String LIMIT = "limit";

  /** Opaque: the position of the last page or stream. */
  public static final String CURSOR = "cursor";

  public static final String SESSION_ID = "session_id";
  public static final String STATUS = "status";
  public static final String LABEL = "label";
  public static final String KIND = "kind";
  public static final String ACTIVE = "active";

  /** Lists only tasks whose id begins so. */
  public static final String ID_PREFIX = "id_prefix";

  public static final String STREAM = "stream";
  public static final String OFFSET_BYTES = "offset_bytes";
  public static final String MAX_BYTES = "max_bytes";
  public static final String TAIL_BYTES = "tail_bytes";

  /** {@code text}, in which no character is torn, or {@code base64}. */
  public static final String ENCODING = "encoding";

  /** Seconds to wait for a cancelled task's end. */
  public static final String WAIT = "wait";

  /** The offset of the first byte that an attached client needs. */
  public static final String FROM = "from";

  /** {@code true} attaches read only. */
  public static final String VIEW = "view";

  public static final String ROWS = "rows";
  public static final String COLS = "cols";

  /** The frame after which a screen is wanted; absent is the last one. */
  public static final String AT_SEQ = "at_seq";

  /** The form of a screen: {@code json}, {@code text}, {@code ansi} or {@code html}. */
  public static final String FORMAT = "format";

  /** {@code true} includes the scrollback. */
  public static final String SCROLLBACK = "scrollback";

  public static final String TOOLSET = "toolset";

  /** A set of tools, by its name or the names of what is in it. */
  public static final String SET = "set";

  public static final String BATCH_ID = "batch_id";

  /** Why a tool is called, where the policy asks for it. */
  public static final String JUSTIFICATION = "justification";

  /** Where the caller of a tool works, for tasks that name no folder. */
  public static final String CWD = "cwd";

  /** The first line that is wanted, from 1, and how many. */
  public static final String LINE = "line";

  public static final String LINES = "lines";

  /** A pattern of RE2, for the lines that match it. */
  public static final String SEARCH = "search";

  /** How many lines are wanted before and after one that matches. */
  public static final String CONTEXT = "context";

  /** The line with which a search begins, from 1. */
  public static final String FROM_LINE = "from_line";

  /** Notices after this cursor; absent is from the oldest. */
  public static final String AFTER = "after";

  /** {@code true} shows acknowledged notices too. */
  public static final String ALL = "all";

  private Params() {}
}
