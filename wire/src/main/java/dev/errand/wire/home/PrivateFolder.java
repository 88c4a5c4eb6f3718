package dev.errand.wire.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Checks that a folder is private and owned by this user. */
public final class PrivateFolder {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /** The user of this process. */
  private static final Path OURS = Path.of("/proc/self");

  private PrivateFolder() {}

  /** Creates it and its parents if they are missing. */
  public static void make(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    }
  }

  /** Why the folder is not private or not owned by this user, and what to do; empty if it is. */
  public static Optional<String> problem(Path folder) throws IOException {
    var found = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (found.isSymbolicLink()) {
      return Optional.of(
          folder + " is a link; name the folder itself: " + Files.readSymbolicLink(folder));
    }
    if (!found.isDirectory()) {
      return Optional.of(folder + " is not a folder; move it away");
    }
    var us = Files.getOwner(OURS);
    if (!found.owner().equals(us)) {
      return Optional.of(
          "%s belongs to %s, not to %s; use another place"
              .formatted(folder, found.owner().getName(), us.getName()));
    }
    var wider = EnumSet.copyOf(found.permissions());
    wider.removeAll(OWNER_ONLY);
    return wider.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s is open to others (%s); close it with: chmod 700 %s"
                .formatted(folder, PosixFilePermissions.toString(found.permissions()), folder));
  }
}
