package io.everheap.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import io.everheap.collection.Shape;
import io.everheap.collection.Undecodable;
import io.everheap.durable.Atomic;
import io.everheap.durable.Durable;
import io.everheap.error.FullException;
import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.report.VerifyReport;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorials of docs/guide.md, which quotes them. */
class GuideTest {
  @TempDir private Path directory;

  // A heap [
  @Test
  void aHeapIsADirectoryThatOutlivesTheProcess() {
    try (Heap heap = Heap.open(directory.resolve("shop"))) {
      DurableMap<String, Integer> stock = heap.map("stock", String.class, Integer.class);
      stock.put("apples", 12);
      stock.merge("apples", -2, Integer::sum);
    }
    try (Heap heap = Heap.open(directory.resolve("shop"))) {
      assertThat(heap.map("stock", String.class, Integer.class)).containsEntry("apples", 10);
    }
  }

  // ]

  // A record [
  record Customer(String name, Instant since, List<String> tags) {}

  @Test
  void recordsAreValues() {
    var builder = Heap.builder(directory.resolve("shop")).lookup(MethodHandles.lookup());
    try (Heap heap = builder.open()) {
      DurableMap<Long, Customer> customers = heap.map("customers", Long.class, Customer.class);
      customers.put(1L, new Customer("Ada", Instant.EPOCH, List.of("first")));

      assertThat(customers.get(1L).tags()).containsExactly("first");
    }
  }

  // ]

  // A transaction [
  @Test
  void aTransactionHappensWhollyOrNotAtAll() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<String, Long> accounts = heap.map("accounts", String.class, Long.class);
      accounts.put("alice", 100L);

      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        accounts.merge("bob", 200L, Long::sum);
                        if (accounts.merge("alice", -200L, Long::sum) < 0) {
                          throw new IllegalStateException("too little money");
                        }
                      }))
          .hasMessage("too little money");
      assertThat(accounts).isEqualTo(Map.of("alice", 100L));
    }
  }

  // ]

  // A durability [
  @Test
  void oneTransactionCanBeSaferThanTheOthers() {
    Durability relaxed = Durability.async(Duration.ofMillis(100));
    try (Heap heap = Heap.builder(directory.resolve("events")).durability(relaxed).open()) {
      DurableMap<Long, String> events = heap.map("events", Long.class, String.class);
      events.put(1L, "clicked"); // safe from kill -9 now, from power loss 100 ms later
      heap.transact(Durability.SYNC, () -> events.put(2L, "paid")); // safe when it returns
    }
  }

  // ]

  // A set [
  @Test
  void structuresCanBeValuesOfOthers() {
    try (Heap heap = Heap.inMemory()) {
      Shape<DurableSet<Long>> ids = DurableSet.of(Long.class);
      DurableMap<String, DurableSet<Long>> index =
          heap.root("index", DurableMap.of(String.class, ids));

      heap.transact(() -> index.computeIfAbsent("red", word -> heap.create(ids)).add(17L));
      assertThat(index.get("red")).containsExactly(17L);

      heap.transact(() -> heap.free(index.remove("red"))); // removing alone frees nothing
      assertThat(heap.verify().unreachable()).isZero();
    }
  }

  // ]

  // A worker [
  record Mail(long id, String to, String text) {}

  @Test
  void aWorkerLosesNothing() throws InterruptedException {
    var builder = Heap.builder(directory.resolve("mails")).lookup(MethodHandles.lookup());
    try (Heap heap = builder.open()) {
      heap.workQueue("outgoing", Mail.class).add(new Mail(1, "ada@example.org", "hello"));
    }
    try (Heap heap = builder.open()) { // another process, perhaps after a crash
      DurableWorkQueue<Mail> outgoing = heap.workQueue("outgoing", Mail.class);
      DurableMap<Long, String> receipts = heap.map("receipts", Long.class, String.class);
      DurableList<Mail> failed = heap.list("failed", Mail.class);

      while (!outgoing.isEmpty()) {
        Lease<Mail> lease = outgoing.lease(Duration.ofMinutes(1)); // waits if all are leased
        try {
          String receipt = send(lease.element()); // outside of transactions: it may take long
          heap.transact(
              () -> {
                receipts.put(lease.element().id(), receipt);
                lease.acknowledge(); // throws, and undoes the put, if another worker has it
              });
        } catch (IllegalStateException e) {
          if (lease.attempt() < 3) { // attempts of processes that died count
            lease.release(Duration.ofMillis(5)); // not at once
          } else {
            heap.transact(
                () -> {
                  failed.add(lease.element());
                  lease.acknowledge();
                });
          }
        }
      }
      assertThat(receipts.keySet()).hasSize(1);
      assertThat(failed).isEmpty();
    }
  }

  private int calls;

  private String send(Mail mail) {
    if (++calls < 3) {
      throw new IllegalStateException("no connection");
    }
    return "sent to " + mail.to();
  }

  // ]

  // A journal [
  @Test
  void aJournalKeepsWhatHappened() throws InterruptedException {
    try (Journal journal = Journal.open(directory.resolve("events"))) {
      long first = journal.append("order 1 came".getBytes(UTF_8)); // durable when it returns
      journal.appendAll(List.of("order 1 paid".getBytes(UTF_8), "order 1 sent".getBytes(UTF_8)));
      try (Claim claim = journal.claim(Long.BYTES)) { // written in place, without a copy
        claim.memory().set(ValueLayout.JAVA_LONG, 0, 42);
        claim.commit();
      }
      assertThat(journal.read(first + 1)).isEqualTo("order 1 paid".getBytes(UTF_8));
    }
    try (Journal again = Journal.builder(directory.resolve("events")).readOnly().open();
        JournalReader reader = again.reader(2)) { // this or another process, while one writes
      assertThat(reader.next()).isTrue();
      assertThat(reader.bytes()).isEqualTo("order 1 sent".getBytes(UTF_8));
      assertThat(reader.next(Duration.ofSeconds(10))).isTrue(); // waits for what is to come
      assertThat(reader.data().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    }
  }

  // ]

  // A static [
  @Durable
  interface Settings {
    String motto();

    void motto(String value);

    long lastNumber();

    void lastNumber(long value);

    @Atomic
    default long nextNumber() {
      lastNumber(lastNumber() + 1);
      return lastNumber();
    }

    static Settings of(Heap heap) { // the initial values, once in the life of the heap
      return heap.object("settings", Settings.class, settings -> settings.motto("none"));
    }
  }

  @Test
  void whatWouldBeStaticIsARoot() {
    var builder = Heap.builder(directory.resolve("shop")).lookup(MethodHandles.lookup());
    try (Heap heap = builder.open()) {
      Settings settings = Settings.of(heap); // a handle to keep in a static field
      settings.motto("fresh apples");
      assertThat(settings.nextNumber()).isEqualTo(1);
    }
    try (Heap heap = builder.open()) {
      assertThat(Settings.of(heap).motto()).isEqualTo("fresh apples");
      assertThat(Settings.of(heap).nextNumber()).isEqualTo(2);
    }
  }

  // ]

  private static long least;

  /** An order that is refused below some amount. */
  record Order(long amount) {
    Order {
      if (amount < least) {
        throw new IllegalArgumentException("too small");
      }
    }
  }

  @Test
  void valuesThatDoNotDecodeAreSetAside() {
    var builder = Heap.builder(directory.resolve("shop")).lookup(MethodHandles.lookup());
    try (Heap heap = builder.open()) {
      DurableMap<Long, Order> orders = heap.map("orders", Long.class, Order.class);
      DurableList<byte[]> refused = heap.list("refused", byte[].class);
      orders.putAll(Map.of(1L, new Order(1), 2L, new Order(2)));
      least = 2;
      // A poison [
      heap.transact(
          () -> {
            for (Iterator<Undecodable> bad = orders.undecodable(); bad.hasNext(); ) {
              refused.add(bad.next().bytes());
              bad.remove();
            }
          });
      // ]
      assertThat(refused).hasSize(1);
      assertThat(orders).containsOnly(Map.entry(2L, new Order(2)));
    } finally {
      least = 0;
    }
  }

  // A codec [
  record Money(String currency, long cents) {}

  static final class MoneyCodec implements Codec<Money> {
    @Override
    public String name() {
      return "shop.money-1"; // stays the same as long as the bytes do
    }

    @Override
    public void write(Money value, CodecOutput out) {
      out.writeUtf(value.currency());
      out.writeLong(value.cents());
    }

    @Override
    public Money read(CodecInput in) {
      return new Money(in.readUtf(), in.readLong());
    }
  }

  @Test
  void aCodecOfOnesOwn() {
    var builder = Heap.builder(directory.resolve("shop"));
    try (Heap heap = builder.register(Money.class, new MoneyCodec()).open()) {
      DurableMap<String, Money> prices = heap.map("prices", String.class, Money.class);
      prices.put("apple", new Money("EUR", 35));

      assertThat(prices.get("apple")).isEqualTo(new Money("EUR", 35));
    }
  }

  // ]

  // A document [
  @Test
  void valuesMayBeLarge() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<String, byte[]> documents = heap.map("documents", String.class, byte[].class);
      documents.put("scan", new byte[10_000_000]);

      assertThat(documents.get("scan")).hasSize(10_000_000);
    }
  }

  // ]

  // A reader [
  @Test
  void readersNeedNoLock() throws Exception {
    try (Heap heap = Heap.inMemory();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      DurableMap<String, Long> accounts = heap.map("accounts", String.class, Long.class);
      accounts.putAll(Map.of("alice", 50L, "bob", 50L));
      var writer =
          threads.submit(
              () -> {
                for (int i = 0; i < 100; i++) {
                  heap.transact(
                      () -> {
                        accounts.merge("alice", -1L, Long::sum);
                        accounts.merge("bob", 1L, Long::sum);
                      });
                }
              });

      for (int i = 0; i < 100; i++) { // both reads see the same state
        long sum = heap.read(() -> accounts.get("alice") + accounts.get("bob"));
        assertThat(sum).isEqualTo(100);
      }
      writer.get();
    }
  }

  // ]

  // A limit [
  @Test
  void aFullHeapRefusesAndLosesNothing() {
    try (Heap heap = Heap.builder(directory.resolve("small")).maxSize(4 << 20).open()) {
      DurableMap<Long, byte[]> blobs = heap.map("blobs", Long.class, byte[].class);
      blobs.put(1L, new byte[100_000]);

      assertThatThrownBy(() -> blobs.put(2L, new byte[8_000_000]))
          .isInstanceOf(FullException.class)
          .hasMessageContaining("maxSize");

      assertThat(blobs.get(1L)).hasSize(100_000);
      blobs.remove(1L); // the way out: free something, or open it with a higher limit
      blobs.put(2L, new byte[100_000]);
    }
  }

  // ]

  // A check [
  @Test
  void everythingCanBeChecked() {
    try (Heap heap = Heap.open(directory.resolve("shop"))) {
      heap.set("tags", String.class).addAll(List.of("red", "green"));

      VerifyReport report = heap.verify();
      assertThat(report.problems()).isEmpty();
      assertThat(report.entries()).isEqualTo(2);
    }
  }

  // ]
}
