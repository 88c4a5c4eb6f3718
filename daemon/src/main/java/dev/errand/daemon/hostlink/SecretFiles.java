package dev.errand.daemon.hostlink;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.Work;
import dev.errand.daemon.home.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The values of secret variables, which are in no frame: a file for each task that has some, from
 * before it is accepted until it is over.
 */
public final class SecretFiles implements CommitListener {
  private static final Logger log = LoggerFactory.getLogger(SecretFiles.class);

  private final Path folder;

  public SecretFiles(Path folder) {
    this.folder = folder;
  }

  /** On disk when it returns, so that no accepted task waits for values that were lost. */
  void put(TaskId taskId, Environment secrets) {
    var text = new StringBuilder();
    secrets.values().forEach((name, value) -> text.append(name + "=" + value + "\0"));
    try {
      var mode = PosixFilePermissions.fromString("rwx------");
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(mode));
      PrivateFile.write(file(taskId), text.toString().getBytes(UTF_8));
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INSUFFICIENT_STORAGE, "the secrets cannot be written: " + e.getMessage(), e);
    }
  }

  /** What is there; nothing where the file is gone. */
  Map<String, String> get(TaskId taskId) {
    var values = new TreeMap<String, String>();
    try {
      for (var line : Files.readString(file(taskId)).split("\0", -1)) {
        var split = line.indexOf('=');
        if (split > 0) {
          values.put(line.substring(0, split), line.substring(split + 1));
        }
      }
    } catch (NoSuchFileException _) {
      return Map.of();
    } catch (IOException e) {
      log.warn("the secrets of task {} cannot be read", taskId, e);
    }
    return values;
  }

  void remove(TaskId taskId) {
    try {
      Files.deleteIfExists(file(taskId));
    } catch (IOException e) {
      log.warn("the secrets of task {} could not be removed and stay on disk", taskId, e);
    }
  }

  /** Removes the secrets of tasks that are over or were never accepted. */
  public void sweep(Iterable<Snapshot> live) {
    Set<String> needed = new java.util.HashSet<>();
    live.forEach(it -> needed.add(it.taskId().value()));
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (var files = Files.list(folder)) {
      for (var file : files.collect(Collectors.toList())) {
        // Folders belong to others, such as the webhooks.
        if (Files.isRegularFile(file) && !needed.contains(String.valueOf(file.getFileName()))) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      log.warn("old secrets could not be removed and stay on disk", e);
    }
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void moved(Snapshot before, Snapshot after) {
    if (after.state() instanceof TaskState.Ended it && hasSecrets(it.facts().spec().work())) {
      remove(after.taskId());
    }
  }

  private static boolean hasSecrets(Work work) {
    return switch (work) {
      case Command it -> !it.environment().secretNames().isEmpty();
    };
  }

  private Path file(TaskId taskId) {
    return folder.resolve(taskId.value());
  }
}
