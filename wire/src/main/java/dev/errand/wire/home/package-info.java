/**
 * The names of files in the home folder, shared by launcher, client, daemon and host.
 *
 * <p>This package creates names and private folders, and reads and checks only artifacts.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.wire.home;

import org.jspecify.annotations.NullMarked;
