/**
 * The Java client: spawn tasks, follow their events and output, and control them.
 *
 * <pre>{@code
 * try (var client = ErrandClient.connect(ErrandHome.of(System.getenv()))) {
 *   var task = client.spawn(NewTask.shell("make -j4").cwd("/srv/app").label("build"));
 *   client.follow(task, -1, (stream, offset, bytes) -> System.out.writeBytes(bytes));
 *   System.out.println("exit code " + client.status(task).exitCode());
 * }
 * }</pre>
 *
 * <p>Everything blocks and suits virtual threads; one client may be used by many threads. Whatever
 * was begun survives a restart of the daemon: lost connections are made again by reading {@code
 * daemon.json} afresh, event streams go on behind their last frame, and every mutating call carries
 * an Idempotency-Key, so that sending it again does nothing twice.
 *
 * <p>Failures: {@link dev.errand.core.error.ErrandException} with a code for what the daemon
 * refuses, {@link dev.errand.wire.client.NoDaemonException} where none answers, and {@link
 * java.util.concurrent.CancellationException} (with the thread's interrupt kept) for a thread that
 * is interrupted while it waits.
 *
 * <p>HTTP is spoken over a plain socket channel: the JDK's own client knows no Unix sockets and
 * takes longer to load than most calls take.
 *
 * <p>May depend on: core.error, core.task, wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.wire.client;

import org.jspecify.annotations.NullMarked;
