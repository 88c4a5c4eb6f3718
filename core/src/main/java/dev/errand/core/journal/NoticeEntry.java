package dev.errand.core.journal;

import dev.errand.core.session.Notice;

/** A notice as it is stored, with the cursor that stands right behind it. */
public record NoticeEntry(Notice notice, boolean acknowledged, Cursor cursor) {}
