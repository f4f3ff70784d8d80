package io.everheap.replication;

import io.everheap.Heap;
import io.everheap.engine.ReplicaPosition;
import io.everheap.heap.OpenHeap;
import io.everheap.journal.Journal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/** Heaps and journals, for tests that hold for both. */
enum Kind {
  HEAP,
  JOURNAL;

  /** Opens one. */
  Source open(Path directory) {
    return this == HEAP
        ? new HeapSource(Heap.open(directory))
        : new Records(Journal.open(directory));
  }

  /** Opens a replica. */
  Copy replica(Path directory, PeerSettings settings) {
    return this == HEAP
        ? new HeapCopy(settings.apply(Replica.of(directory)).open())
        : new RecordsCopy(settings.apply(JournalReplica.of(directory)).open());
  }

  /** Promotes a replica that is closed. */
  long promote(Path directory) {
    return this == HEAP ? Replica.of(directory).promote() : JournalReplica.of(directory).promote();
  }

  /** Settings of a replica of either kind. */
  interface PeerSettings {
    <B extends PeerBuilder<B>> B apply(B builder);
  }

  /** The log is wanted. */
  Hello hello(Source of, long term, long id) {
    return new Hello(
        this == HEAP ? Hello.Purpose.FOLLOW : Hello.Purpose.JOURNAL,
        of.uuid(),
        of.position(),
        term,
        false,
        new Hello.Who(id, id, "hostile"));
  }

  /** What a primary has open. */
  interface Source extends AutoCloseable {
    Primary.Builder primary();

    UUID uuid();

    ReplicaPosition position();

    long term();

    /** Stores something durably. */
    void commit(int number);

    @Override
    void close();
  }

  /** A replica. */
  interface Copy extends AutoCloseable {
    ReplicaStatus status();

    int size();

    Source promote();

    @Override
    void close();
  }

  private record HeapSource(Heap heap) implements Source {
    @Override
    public Primary.Builder primary() {
      return Primary.of(heap);
    }

    @Override
    public UUID uuid() {
      return OpenHeap.engine(heap).uuid();
    }

    @Override
    public ReplicaPosition position() {
      return HeapCopies.checkpoint(heap);
    }

    @Override
    public long term() {
      return ReplicaPosition.term(OpenHeap.engine(heap).memory());
    }

    @Override
    public void commit(int number) {
      Numbers.map(heap).put(number, "value " + number);
    }

    @Override
    public void close() {
      heap.close();
    }
  }

  private record Records(Journal journal) implements Source {
    @Override
    public Primary.Builder primary() {
      return Primary.of(journal);
    }

    @Override
    public UUID uuid() {
      return journal.info().uuid();
    }

    @Override
    public ReplicaPosition position() {
      return ReplicaPosition.NONE;
    }

    @Override
    public long term() {
      return JournalSource.of(journal).term();
    }

    @Override
    public void commit(int number) {
      journal.append(("value " + number).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
      journal.close();
    }
  }

  private record HeapCopy(Replica replica) implements Copy {
    @Override
    public ReplicaStatus status() {
      return replica.status();
    }

    @Override
    public int size() {
      return Numbers.map(replica.heap()).size();
    }

    @Override
    public Source promote() {
      return new HeapSource(replica.promote());
    }

    @Override
    public void close() {
      replica.close();
    }
  }

  private record RecordsCopy(JournalReplica replica) implements Copy {
    @Override
    public ReplicaStatus status() {
      return replica.status();
    }

    @Override
    public int size() {
      return (int) replica.journal().nextSequence();
    }

    @Override
    public Source promote() {
      return new Records(replica.promote());
    }

    @Override
    public void close() {
      replica.close();
    }
  }
}
