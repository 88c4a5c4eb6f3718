package dev.errand.daemon.verb;

import dev.errand.daemon.attach.AttachRequest;
import dev.errand.daemon.attach.Attached;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.attach.Link;
import java.io.IOException;

/**
 * A two-way connection between a client and a task. The client receives the output of the task, and
 * sends input, resizes and signals. A door transports the messages, which are the same at every
 * door, and reports when its client is gone.
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

  /** The maximum size of a message of a client. */
  public int messageBytesMax() {
    return attachments.messageBytesMax();
  }

  /** Creates the client of this connection; nothing happens before {@code serve}. */
  public Client open(Connection connection) {
    return new Client(attachments.attach(request, connection));
  }

  /** One client. One thread serves it, and another passes in its messages. */
  public final class Client {
    private final Attached attached;

    private Client(Attached attached) {
      this.attached = attached;
    }

    /**
     * Serves it on the calling thread until it is gone or the task is over; refused if too many
     * callers wait or are attached.
     */
    public void serve() {
      try (var _ = ask.slot()) {
        attachments.serve(request, attached);
      }
    }

    /** Handles a message; returns when the next may come. */
    public void received(String message) throws IOException, InterruptedException {
      attached.received(message);
    }

    /** Tells it what was wrong with its message, and closes the connection. */
    public void refuse(int closeCode, String why) throws IOException, InterruptedException {
      attached.refuse(closeCode, why);
    }

    /** Sends a signal to the task, as the verb does; one of {@link SignalTask#NAMES}. */
    public void signal(String name) throws InterruptedException {
      controls.signal(name);
    }
  }
}
