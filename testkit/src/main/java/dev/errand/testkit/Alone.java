package dev.errand.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * A test that needs the machine to itself, because it bounds a time or takes all processors. It
 * runs in a second pass, when nothing else does, and is skipped where the machine is known to be
 * busy ({@code make check BUSY=1}).
 */
@Tag("alone")
@DisabledIfSystemProperty(
    named = "errand.busy",
    matches = "true",
    disabledReason = "it needs the machine to itself, and errand.busy is set")
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Alone {}
