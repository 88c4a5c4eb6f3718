/**
 * JSON Schemas that the owner writes for tools, and arguments that are checked against them.
 *
 * <p>The library behind it is loaded when the first schema is read, and used in this package only.
 * It loads no schema from elsewhere, matches patterns by RE2 and stops at a bound of steps, so that
 * neither a schema nor arguments can keep a processor busy.
 *
 * <p>May depend on: core.error, daemon.pattern, wire.json.
 */
@NullMarked
package dev.errand.daemon.schema;

import org.jspecify.annotations.NullMarked;
