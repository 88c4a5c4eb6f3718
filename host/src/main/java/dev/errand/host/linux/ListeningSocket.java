package dev.errand.host.linux;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A TCP socket that waits for connections, identified by its inode. */
public record ListeningSocket(int port, long inode, String address) {
  private static final String LISTEN = "0A";
  private static final String LISTEN_COLUMN = " 0A ";
  private static final String SOCKET_PREFIX = "socket:[";

  /** Bound to all addresses, IPv4 or IPv6. */
  private static final String ALL = "0.0.0.0";

  private static final String ALL_NEWER = "0:0:0:0:0:0:0:0";

  /** Columns of the kernel's table. */
  private static final int LOCAL = 1;

  private static final int STATE = 3;
  private static final int INODE = 9;

  /**
   * All of them in the network namespace of this process, by port; in our own namespace if the
   * process is gone.
   */
  public static Map<Integer, List<ListeningSocket>> seenBy(long pid) {
    var found = new HashMap<Integer, List<ListeningSocket>>();
    for (var table : List.of("tcp", "tcp6")) {
      var text = read(Path.of("/proc/" + pid + "/net/" + table));
      for (var it : parse(text.isEmpty() ? read(Path.of("/proc/net/" + table)) : text)) {
        found.computeIfAbsent(it.port(), _ -> new ArrayList<>()).add(it);
      }
    }
    return found;
  }

  /**
   * Whether a connection to that address can reach this socket: it is bound to that address, or to
   * all. A socket bound to all IPv6 addresses may take IPv4 connections too.
   */
  public boolean accepts(InetAddress target) {
    var host = address.substring(0, address.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
    return host.equals(target.getHostAddress())
        || host.equals(ALL_NEWER)
        || (host.equals(ALL) && target instanceof Inet4Address);
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), ISO_8859_1);
    } catch (IOException _) {
      // The process is gone, or this kernel does not have the protocol.
      return "";
    }
  }

  static List<ListeningSocket> parse(String table) {
    var found = new ArrayList<ListeningSocket>();
    table
        .lines()
        .filter(it -> it.contains(LISTEN_COLUMN))
        .map(it -> it.strip().split("\\s+", -1))
        .filter(it -> it.length > INODE && it[STATE].equals(LISTEN))
        .forEach(it -> {
          var colon = it[LOCAL].lastIndexOf(':');
          var port = Integer.parseInt(it[LOCAL], colon + 1, it[LOCAL].length(), 16);
          var address = address(it[LOCAL].substring(0, colon), port);
          found.add(new ListeningSocket(port, Long.parseLong(it[INODE]), address));
        });
    return found;
  }

  /** The kernel writes an address as 4-byte words, each in the byte order of this machine. */
  private static String address(String words, int port) {
    var bytes = HexFormat.of().parseHex(words);
    for (var word = 0; word + 4 <= bytes.length; word += 4) {
      swap(bytes, word, word + 3);
      swap(bytes, word + 1, word + 2);
    }
    try {
      var host = InetAddress.getByAddress(bytes).getHostAddress();
      return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("no address: " + words, e);
    }
  }

  private static void swap(byte[] bytes, int one, int other) {
    var kept = bytes[one];
    bytes[one] = bytes[other];
    bytes[other] = kept;
  }

  /** A socket of this inode that a process has open. */
  public record Descriptor(long inode, long pid, String number) {

    /** Whether it still is that socket. */
    public boolean isOpen() {
      return ListeningSocket.inode(Path.of("/proc/" + pid + "/fd/" + number)) == inode;
    }
  }

  /** The sockets among these inodes that the process has open, as far as it may be inspected. */
  public static List<Descriptor> openIn(long pid, Set<Long> inodes) {
    var open = new ArrayList<Descriptor>();
    var descriptors = new File("/proc/" + pid + "/fd").listFiles();
    for (var descriptor : descriptors == null ? new File[0] : descriptors) {
      var inode = inode(descriptor.toPath());
      if (inodes.contains(inode)) {
        open.add(new Descriptor(inode, pid, descriptor.getName()));
      }
    }
    return open;
  }

  private static long inode(Path descriptor) {
    try {
      var target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith(SOCKET_PREFIX)
          ? Long.parseLong(target, SOCKET_PREFIX.length(), target.length() - 1, 10)
          : -1;
    } catch (IOException _) {
      return -1;
    }
  }
}
