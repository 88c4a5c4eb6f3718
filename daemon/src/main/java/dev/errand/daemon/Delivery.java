package dev.errand.daemon;

import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.InboxMerger;
import dev.errand.daemon.inbox.InboxSignal;
import dev.errand.daemon.inbox.NoticeViews;
import dev.errand.daemon.maintenance.ReadMarks;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.webhook.EventSource;
import dev.errand.daemon.webhook.Webhooks;
import java.io.IOException;

/** The delivery of notices to sessions, and their acknowledgements. */
final class Delivery {
  final InboxSignal signal;
  final Inbox inbox;
  final NoticeViews notices;
  final InboxMerger merger;
  final Webhooks webhooks;
  final ResultReads reads;
  private final ReadMarks marks;

  Delivery(Startup startup, Storage storage, TaskViews views) throws IOException {
    var clock = startup.clock();
    var settings = startup.config().inbox();
    var engine = storage.engine;
    var journal = storage.journal;
    marks = startup.opened("read marks", new ReadMarks(engine, journal, clock));
    reads = startup.replacements().reads(startup.readOnly() ? (_, _) -> {} : marks);
    signal = new InboxSignal(clock);
    inbox = new Inbox(engine, journal, signal, clock);
    var tails = new Tails(journal, storage.codec, storage.outputs.logs(), engine::liveSnapshot);
    notices = new NoticeViews(journal, storage.codec, views, tails);
    merger =
        startup.opened(
            "inbox merger", new InboxMerger(engine, journal, settings.unreadPerSessionMax()));
    webhooks =
        startup.opened(
            "webhooks",
            new Webhooks(
                new Webhooks.Sources(
                    engine,
                    journal,
                    inbox,
                    new Webhooks.Bodies(
                        notices, new EventSource(journal, storage.codec, tails, clock)),
                    storage.tokens::knows,
                    clock),
                startup.home().webhookSecrets(),
                settings));
  }

  void start() {
    marks.start();
    merger.start();
    webhooks.start();
  }
}
