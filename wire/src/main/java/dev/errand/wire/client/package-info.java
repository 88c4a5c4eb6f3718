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
 * <p>All calls block and suit virtual threads; a client is thread-safe. Calls survive a restart of
 * the daemon: a new connection reads {@code daemon.json} again, event streams continue after their
 * last frame, and every mutating call has an Idempotency-Key, so a repeated request has no second
 * effect.
 *
 * <p>Failures: {@link dev.errand.core.error.ErrandException} with a code if the daemon refuses the
 * request, {@link dev.errand.wire.client.NoDaemonException} if no daemon answers, and {@link
 * java.util.concurrent.CancellationException} (with the thread's interrupt kept) for a thread that
 * is interrupted while it waits.
 *
 * <p>HTTP uses a plain socket channel: the JDK's HTTP client does not support Unix sockets and
 * takes longer to load than most calls take.
 *
 * <p>May depend on: core.error, core.task, wire.home, wire.http, wire.json.
 */
@NullMarked
package dev.errand.wire.client;

import org.jspecify.annotations.NullMarked;
