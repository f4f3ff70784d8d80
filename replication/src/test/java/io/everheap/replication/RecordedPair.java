package io.everheap.replication;

import io.everheap.Heap;
import io.everheap.engine.ReplicaPosition;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MediumSetting;
import io.everheap.support.fuzz.Form;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A primary and its replica as the corpus of the fuzzers was recorded from them, so that its
 * messages are valid for exactly these files. The replica lacks some of the primary's changes.
 */
public final class RecordedPair {
  static final String PRIMARY = "primary";
  static final String REPLICA = "replica";

  private static final UUID NOBODY = new UUID(0, 0);
  private static final byte[] NOTHING = {};

  private RecordedPair() {}

  /** The files of one of the two, which nobody has open. */
  static SimulatedMedium medium(Kind kind, String side) {
    String name = "/recorded/" + kind.name().toLowerCase(java.util.Locale.ROOT) + ".zip";
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (InputStream in = Objects.requireNonNull(RecordedPair.class.getResourceAsStream(name))) {
      Form.FILES
          .parse(in.readAllBytes())
          .forEach(
              (file, bytes) -> {
                if (file.startsWith(side + "/")) {
                  write(medium, file.substring(side.length() + 1), bytes);
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return medium;
  }

  private static void write(SimulatedMedium medium, String name, byte[] bytes) {
    try (MediumFile file = medium.create(name)) {
      file.write(ByteBuffer.wrap(bytes), 0);
      file.sync();
    }
    medium.syncDirectory("");
  }

  private static void read(SimulatedMedium closed, String side, SequencedMap<String, byte[]> to) {
    SimulatedMedium medium = closed.processKill();
    List<String> names = new ArrayList<>(medium.list(""));
    medium.list("log").forEach(name -> names.add("log/" + name));
    for (String name : names) {
      if (medium.exists(name)) {
        try (MediumFile file = medium.open(name)) {
          ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
          file.read(bytes, 0);
          to.put(side + "/" + name, bytes.array());
        }
      }
    }
  }

  static Heap open(SimulatedMedium medium, HeapSettings.Role role) {
    return HeapCopies.open(medium, role);
  }

  static Journal journal(SimulatedMedium medium) {
    return MediumSetting.medium(
            Journal.builder(Path.of(medium.location())).segmentSize(16 << 10), medium)
        .open();
  }

  static JournalTarget target(SimulatedMedium medium) {
    return JournalReplication.target(Journal.builder(Path.of("replica")), medium, null);
  }

  /**
   * Makes the files, and records the corpus.
   *
   * @param arguments the directory of the test resources
   */
  public static void main(String[] arguments) throws IOException {
    Path to = Path.of(arguments[0]);
    Files.createDirectories(to.resolve("recorded"));
    Files.write(to.resolve("recorded/heap.zip"), Form.FILES.format(heaps()));
    Files.write(to.resolve("recorded/journal.zip"), Form.FILES.format(journals()));
    recordHeap(to.resolve("fuzz"));
    recordJournal(to.resolve("fuzz"));
  }

  private static SequencedMap<String, byte[]> heaps() {
    SequencedMap<String, byte[]> files = new TreeMap<>();
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Heap heap = open(medium, HeapSettings.Role.ORDINARY)) {
      for (int i = 0; i < 10; i++) {
        Numbers.map(heap).put(i, "value " + i);
      }
      SimulatedMedium copy = HeapCopies.copy(heap, 2);
      open(copy, HeapSettings.Role.REPLICA).close();
      read(copy, REPLICA, files);
      for (int i = 5; i < 15; i++) {
        Numbers.map(heap).put(i, "changed " + i);
      }
      heap.transact(
          () -> {
            for (int i = 100; i < 103; i++) {
              Numbers.map(heap).put(i, "large ".repeat(2_000));
            }
          });
      heap.sortedMap("sorted", Long.class, Long.class).put(1L, 2L);
      Numbers.map(heap).remove(3);
      read(medium, PRIMARY, files); // as if killed: the log has all that the replica lacks
    }
    return files;
  }

  private static SequencedMap<String, byte[]> journals() {
    SequencedMap<String, byte[]> files = new TreeMap<>();
    SimulatedMedium medium = SimulatedMedium.file(1);
    SimulatedMedium copy = SimulatedMedium.file(2);
    try (Journal journal = journal(medium);
        JournalTarget target = target(copy)) {
      for (int i = 0; i < 5; i++) {
        journal.append(new byte[500]);
      }
      JournalPosition at = target.settle();
      target.follow(0, journal.info().uuid(), 0, 16 << 10);
      try (JournalFeed feed = JournalReplication.origin(journal, PRIMARY).feed(at)) {
        for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
          target.accept(part);
        }
      }
      for (int i = 0; i < 12; i++) {
        journal.append(new byte[2_500]);
      }
      journal.truncateBefore(3);
    }
    read(medium, PRIMARY, files);
    read(copy, REPLICA, files);
    return files;
  }

  private static WireInput.Frame frame(Message type, byte[] body) {
    return new WireInput.Frame(type.code(), body);
  }

  private static WireInput.Frame number(Message type, long number) {
    return frame(type, ByteBuffer.allocate(8).putLong(number).array());
  }

  private static WireInput.Frame greeting() {
    return frame(Message.GREETING, Frames.greeting(Greeting.VERSION, false));
  }

  private static void keep(Path corpus, String name, List<WireInput.Frame> frames)
      throws IOException {
    Path file = corpus.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    int flags = WireInput.CHECKSUMS | WireInput.SEALS;
    Files.write(
        file, WireInput.FORM.format(new WireInput(flags, WireInput.bytes(frames, NOTHING))));
  }

  private static Hello hello(
      Hello.Purpose purpose, UUID of, ReplicaPosition at, long term, long id) {
    return new Hello(purpose, of, at, term, false, new Hello.Who(id, 7, "fuzzed"));
  }

  private static void recordHeap(Path to) throws IOException {
    ReplicaPosition at;
    UUID uuid;
    long id = 5;
    try (Heap replica = open(medium(Kind.HEAP, REPLICA), HeapSettings.Role.REPLICA)) {
      at = OpenHeap.engine(replica).applier().position();
      uuid = OpenHeap.engine(replica).uuid();
    }
    Hello.Purpose follow = Hello.Purpose.FOLLOW;
    Path corpus = to.resolve("primary-heap");
    List<WireInput.Frame> following =
        new ArrayList<>(
            List.of(greeting(), frame(Message.HELLO, hello(follow, uuid, at, 0, id).encode())));
    for (long lsn = at.lsn(); lsn < at.lsn() + 4096; lsn += 1024) {
      following.add(number(Message.ACKNOWLEDGED, lsn));
    }
    keep(corpus, "follow", following);
    keep(
        corpus,
        "follow-higher-term",
        List.of(greeting(), frame(Message.HELLO, hello(follow, uuid, at, 1L << 32, id).encode())));
    keep(
        corpus,
        "join",
        List.of(
            greeting(),
            frame(
                Message.HELLO,
                hello(Hello.Purpose.JOIN, NOBODY, ReplicaPosition.NONE, 0, 0).encode())));
    keep(
        corpus,
        "status",
        List.of(
            greeting(),
            frame(
                Message.HELLO,
                hello(Hello.Purpose.STATUS, uuid, ReplicaPosition.NONE, 0, 0).encode())));
    byte[] sent = sentBy(Kind.HEAP, corpus.resolve("follow"));
    Files.createDirectories(to.resolve("replica-heap"));
    keep(to.resolve("replica-heap"), "follow", new WireInput(0, sent).frames());
    byte[] copied = sentBy(Kind.HEAP, corpus.resolve("join"));
    keep(to.resolve("joining"), "copy", new WireInput(0, copied).frames());
    byte[] status = sentBy(Kind.HEAP, corpus.resolve("status"));
    keep(to.resolve("status"), "status", new WireInput(0, status).frames());
    List<WireInput.Frame> refused =
        List.of(greeting(), frame(Message.REFUSED, new byte[] {0, 'x'}));
    keep(to.resolve("replica-heap"), "refused", refused);
    keep(to.resolve("joining"), "refused", refused);
  }

  private static void recordJournal(Path to) throws IOException {
    JournalPosition at;
    UUID uuid;
    long id;
    try (JournalTarget target = target(medium(Kind.JOURNAL, REPLICA))) {
      at = target.settle();
      uuid = Objects.requireNonNull(target.uuid());
      id = target.id();
    }
    Path corpus = to.resolve("primary-journal");
    for (JournalPosition from : List.of(at, JournalPosition.NONE)) {
      keep(
          corpus,
          from.equals(at) ? "follow" : "follow-from-the-beginning",
          List.of(
              greeting(),
              frame(
                  Message.HELLO,
                  hello(Hello.Purpose.JOURNAL, uuid, ReplicaPosition.NONE, 0, id).encode()),
              frame(
                  Message.POSITION, from.put(ByteBuffer.allocate(JournalPosition.LENGTH)).array()),
              number(Message.ACKNOWLEDGED, 0),
              number(Message.ACKNOWLEDGED, at.offset())));
    }
    keep(
        corpus,
        "status",
        List.of(
            greeting(),
            frame(
                Message.HELLO,
                hello(Hello.Purpose.STATUS, uuid, ReplicaPosition.NONE, 0, 0).encode())));
    for (String name : List.of("follow", "follow-from-the-beginning")) {
      byte[] sent = sentBy(Kind.JOURNAL, corpus.resolve(name));
      keep(to.resolve("replica-journal"), name, new WireInput(0, sent).frames());
    }
  }

  /** What the primary answers to an input, without a secret. */
  private static byte[] sentBy(Kind kind, Path input) throws IOException {
    try (FuzzedListener listener = new FuzzedListener(kind)) {
      byte[] sent = listener.serve(WireInput.FORM.parse(Files.readAllBytes(input)));
      int random = 5 + 32; // of the greeting
      Arrays.fill(sent, random, random + 32, (byte) 0);
      return sent;
    }
  }
}
