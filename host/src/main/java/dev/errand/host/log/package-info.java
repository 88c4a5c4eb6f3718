/**
 * The bytes of the output streams, on disk, addressed by stream offset.
 *
 * <p>The host writes ({@link dev.errand.host.log.LogWriter}), the daemon reads ({@link
 * dev.errand.host.log.LogReader}); they share only the names of files, and reads are correct while
 * the writer appends and drops. A path never leaves the folder of logs, and links are not followed.
 *
 * <p>May depend on: core.task, core.time, host.record.
 */
@NullMarked
package dev.errand.host.log;

import org.jspecify.annotations.NullMarked;
