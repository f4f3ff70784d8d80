package io.everheap.micrometer;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalInfo;
import io.everheap.stability.Stable;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;

/**
 * The meters {@code everheap.journal.*} of an open journal, from {@link Journal#info()}. All have
 * the tag {@code journal}. When the journal is closed, they keep their last values. Thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class JournalMetrics implements MeterBinder {
  private final Journal journal;
  private final Tags tags;

  /**
   * Meters with the journal's directory as the tag {@code journal}.
   *
   * @param journal open
   */
  public JournalMetrics(Journal journal) {
    this(journal, journal.info().location(), Tags.empty());
  }

  /**
   * Meters with a name and further tags.
   *
   * @param journal open
   * @param name value of the tag {@code journal}, different for each journal of a registry
   * @param tags further ones
   */
  public JournalMetrics(Journal journal, String name, Iterable<Tag> tags) {
    this.journal = Objects.requireNonNull(journal, "journal");
    this.tags = Tags.of(tags).and("journal", name);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters<JournalInfo> m = new Meters<>(registry, journal, new Sampled<>(journal::info), tags);
    m.counter(
        "everheap.journal.appended",
        null,
        "Records appended since the journal was created",
        JournalInfo::nextSequence);
    m.gauge(
        "everheap.journal.undurable",
        null,
        "Records that a power loss would take",
        j -> Math.max(0, j.nextSequence() - j.durableSequence()));
    m.gauge(
        "everheap.journal.records",
        null,
        "Records from the oldest to the newest",
        j -> j.nextSequence() - j.firstSequence());
    m.gauge("everheap.journal.segments", null, "Files with records", JournalInfo::segments);
    m.gauge("everheap.journal.bytes", BaseUnits.BYTES, "Size of these files", JournalInfo::bytes);
    m.gauge(
        "everheap.journal.unused",
        BaseUnits.BYTES,
        "Files that are ready for records",
        JournalInfo::unusedBytes);
  }
}
