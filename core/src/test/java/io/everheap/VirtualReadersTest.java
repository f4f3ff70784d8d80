package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.error.ClosedException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual threads that read without end, as many as there are carriers to run them. */
@Campaign
class VirtualReadersTest {
  private static final int CARRIERS =
      Integer.getInteger(
          "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());

  private Heap heap;
  private EveryRead every;
  private final AtomicBoolean done = new AtomicBoolean();
  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch reading = new CountDownLatch(CARRIERS);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger interrupted = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();

  @BeforeEach
  void open() {
    heap = Heap.inMemory();
    every = new EveryRead(heap);
  }

  @AfterEach
  void end() throws InterruptedException {
    done.set(true);
    goOn.countDown();
    for (Thread thread : threads) {
      Limit.join(thread);
    }
    heap.close();
  }

  private Thread start(Runnable body) {
    Thread thread = Thread.ofVirtual().start(body);
    threads.add(thread);
    return thread;
  }

  /** A thread that has the writer's turn, and waits. */
  private Thread startWriter() throws InterruptedException {
    DurableMap<Long, Long> numbers = heap.map("written", Long.class, Long.class);
    Thread writer = start(() -> heap.transact(() -> write(numbers)));
    Limit.await(writing);
    return writer;
  }

  private void write(DurableMap<Long, Long> numbers) {
    numbers.put(1L, 1L);
    writing.countDown();
    try {
      Limit.await(goOn);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    numbers.put(2L, 2L);
  }

  private void startReaders(String name) throws InterruptedException {
    Callable<?> read = every.reads().get(name);
    for (int i = 0; i < CARRIERS; i++) {
      start(() -> readOnAndOn(read));
    }
    Limit.await(reading);
  }

  private void readOnAndOn(Callable<?> read) {
    try {
      for (int n = 0; !done.get(); n++) {
        read.call();
        if (n == 0) {
          reading.countDown();
        }
      }
      if (Thread.currentThread().isInterrupted()) {
        interrupted.incrementAndGet();
      }
    } catch (ClosedException e) {
      // as it should be
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "heap.read",
        "map.iterator",
        "sorted.iterator",
        "sorted strings.iterator",
        "by length.iterator",
        "list.iterator",
        "deque.iterator",
        "queue.iterator",
        "map.size",
        "object.String",
        "text.toString",
        "heap.map",
        "list in a map",
      })
  void doNotKeepAWriterThatHasItsTurnFromGoingOn(String read) throws Exception {
    Thread writer = startWriter();
    startReaders(read);
    goOn.countDown();
    Limit.join(writer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"heap.read", "sorted.iterator"})
  void doNotKeepAHeapFromBeingClosed(String read) throws Exception {
    startWriter();
    startReaders(read);
    Threads.Running<Object> closing =
        Threads.start(
            "closing",
            () -> {
              heap.close();
              return "closed";
            });
    closing.awaitWaiting();
    goOn.countDown();
    assertThat(closing.result()).isEqualTo("closed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"heap.read", "sorted.iterator"})
  void thatAreInterruptedGiveTheirCarriersAwayAndStayInterrupted(String read) throws Exception {
    Thread writer = startWriter();
    startReaders(read);
    List<Thread> readers = threads.subList(1, threads.size());
    readers.forEach(Thread::interrupt);
    goOn.countDown();
    Limit.join(writer);
    done.set(true);
    for (Thread reader : readers) {
      Limit.join(reader);
    }
    assertThat(interrupted).hasValue(CARRIERS);
  }
}
