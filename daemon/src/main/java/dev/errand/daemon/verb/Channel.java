package dev.errand.daemon.verb;

import dev.errand.daemon.attach.AttachRequest;
import dev.errand.daemon.attach.Attached;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.attach.Link;
import java.io.IOException;

/**
 * A way in both directions between a client and a task. The client is sent what the task writes,
 * and types, resizes and signals. A door carries the messages, which are the same at every door,
 * and says when its client is gone.
 */
public final class Channel {
  private final Attachments attachments;
  private final AttachRequest request;
  private final Ask ask;
  private final ChannelControls controls;

  Channel(Attachments attachments, AttachRequest request, Ask ask, ChannelControls controls) {
    this.attachments = attachments;
    this.request = request;
    this.ask = ask;
    this.controls = controls;
  }

  /** The door's end: the connection to one client. */
  public interface Connection extends Link {}

  /** A message of a client may have so many bytes. */
  public int messageBytesMax() {
    return attachments.messageBytesMax();
  }

  /** The client at the other end of this connection; nothing happens before it is served. */
  public Client open(Connection connection) {
    return new Client(attachments.attach(request, connection));
  }

  /** One client. It is served by one thread, and its messages are handed in by another. */
  public final class Client {
    private final Attached attached;

    private Client(Attached attached) {
      this.attached = attached;
    }

    /**
     * Serves it on the calling thread until it is gone or the task is over; refused where too many
     * wait or are attached.
     */
    public void serve() {
      try (var _ = ask.slot()) {
        attachments.serve(request, attached);
      }
    }

    /** A message came; returns when the next may come. */
    public void received(String message) throws IOException, InterruptedException {
      attached.received(message);
    }

    /** Tells it what was wrong with its message, and ends it. */
    public void refuse(int closeCode, String why) throws IOException, InterruptedException {
      attached.refuse(closeCode, why);
    }

    /** Sends a signal to the task, as the verb does; one of {@link SignalTask#NAMES}. */
    public void signal(String name) throws InterruptedException {
      controls.signal(name);
    }
  }
}
