/**
 * What tests share: a clock that is moved by hand, ids in a known order, and the claims that every
 * clock and every journal must keep.
 *
 * <p>Nothing here is part of the running program.
 *
 * <p>May depend on: core.engine, core.error, core.journal, core.session, core.task, core.time.
 */
@NullMarked
package dev.errand.testkit;

import org.jspecify.annotations.NullMarked;
