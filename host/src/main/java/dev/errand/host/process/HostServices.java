package dev.errand.host.process;

import dev.errand.core.time.Time;
import dev.errand.host.log.OpenLogs;
import dev.errand.host.record.RecordWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What every child needs from its host.
 *
 * @param slow runs what may take long at a child's end
 * @param slow runs what may take long at a child's end
 * @param looking runs searches that a caller waits for and that must not queue after ends
 */
record HostServices(
    RecordWriter records,
    Path logs,
    OpenLogs openLogs,
    Sweeper sweeper,
    Orphans orphans,
    Syncer syncer,
    Executor slow,
    Executor looking,
    AtomicLong discarded,
    Duration stdinTimeout,
    LimitMechanisms mechanisms,
    PeakMeter meters,
    Path gate,
    Time clock) {}
