/**
 * Where things lie: the names in the home folder, agreed between launcher, client, daemon and host.
 *
 * <p>Names are made here, and folders that must be private; nothing is read or written.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.wire.home;

import org.jspecify.annotations.NullMarked;
