/**
 * Where things lie: the names in the home folder, agreed between launcher, client, daemon and host.
 *
 * <p>Only names are made here; nothing is opened, created or checked.
 *
 * <p>May depend on: nothing.
 */
@NullMarked
package dev.errand.wire.home;

import org.jspecify.annotations.NullMarked;
