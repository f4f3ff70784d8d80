package io.everheap.samples.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.Heap;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableMap;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import java.util.TreeMap;

/**
 * Bookings as events: {@code Ledger DIRECTORY}. Each line of the input, such as {@code alice 10},
 * is appended to a journal, which is the truth. Balances are in a heap that follows the journal: a
 * transaction has the change and the sequence that it came from. A process that was killed in
 * between catches up when it starts again; without the heap, all of it is made again.
 */
public final class Ledger {
  private final Journal journal;
  private final Heap heap;
  private final DurableMap<String, Long> balances;
  private final DurableAtomicLong next;

  private Ledger(Journal journal, Heap heap) {
    this.journal = journal;
    this.heap = heap;
    this.balances = heap.map("balances", String.class, Long.class);
    this.next = heap.root("next sequence", DurableAtomicLong.of());
  }

  /**
   * Runs the program.
   *
   * @param arguments directory of the journal and the heap
   */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    try (Journal journal = Journal.open(directory.resolve("journal"));
        Heap heap = Heap.open(directory.resolve("heap"))) {
      Ledger ledger = new Ledger(journal, heap);
      System.out.println("caught up " + ledger.catchUp() + " " + ledger.balances());
      Scanner lines = new Scanner(System.in, UTF_8);
      while (lines.hasNextLine()) {
        ledger.book(lines.nextLine());
      }
    }
  }

  /** Applies the bookings that the heap does not have, and returns how many there were. */
  private long catchUp() {
    try (JournalReader bookings = journal.reader(next.get())) {
      return bookings.forEach(
          (sequence, record) -> {
            apply(sequence, new String(record.toArray(ValueLayout.JAVA_BYTE), UTF_8));
            return true; // go on with the next one
          });
    }
  }

  private void book(String booking) {
    List<String> parts = List.of(booking.split(" ", 2));
    if (parts.size() != 2 || !parts.getLast().matches("-?[0-9]{1,15}")) {
      System.out.println("not a booking: " + booking);
      return;
    }
    long sequence = journal.append(booking.getBytes(UTF_8)); // durable when it returns
    System.out.println("booked " + sequence);
    apply(sequence, booking);
    System.out.println("applied " + balances());
  }

  private void apply(long sequence, String booking) {
    List<String> parts = List.of(booking.split(" ", 2));
    heap.transact(
        () -> {
          balances.merge(parts.getFirst(), Long.valueOf(parts.getLast()), Long::sum);
          next.set(sequence + 1);
        });
  }

  private String balances() {
    return new TreeMap<>(balances).toString();
  }
}
