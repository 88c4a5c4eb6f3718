/**
 * The record file: everything that happened to the processes of one host, in order, on disk.
 *
 * <p>The host writes it and the daemon reads it; the file is the truth, and messages on the socket
 * are only hints to read it. It is never synced: the page cache outlives both processes, and a
 * crash of the machine ends every process anyway.
 *
 * <p>May depend on: core.task, core.time.
 */
@NullMarked
package dev.errand.host.record;

import org.jspecify.annotations.NullMarked;
