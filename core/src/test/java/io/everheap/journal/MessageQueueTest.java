package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the guide: a small durable message queue on two journals. */
class MessageQueueTest {
  @TempDir private Path directory;

  // example: queue
  /** Messages that survive crashes; each is delivered at least once, in order. */
  static final class MessageQueue implements AutoCloseable {
    private final Journal messages;
    private final Journal consumed; // each record: the sequence of the next message to deliver
    private final JournalReader reader;

    MessageQueue(Path directory) {
      messages = Journal.open(directory.resolve("messages"));
      consumed = Journal.builder(directory.resolve("consumed")).segmentSize(64 << 10).open();
      long last = consumed.nextSequence() - 1;
      long next = last < consumed.firstSequence() ? 0 : number(consumed.read(last));
      reader = messages.reader(Math.max(next, messages.firstSequence()));
    }

    void send(String message) {
      messages.append(message.getBytes(StandardCharsets.UTF_8)); // durable when it returns
    }

    /** The next message, or null when none came in time; the same again until it is accepted. */
    String receive(Duration timeout) throws InterruptedException {
      return reader.next(timeout) ? new String(reader.bytes(), StandardCharsets.UTF_8) : null;
    }

    /** The message that was received last need not be delivered again. */
    void accept() {
      long sequence =
          consumed.append(Long.toString(reader.nextSequence()).getBytes(StandardCharsets.UTF_8));
      consumed.truncateBefore(sequence);
      messages.truncateBefore(reader.nextSequence()); // segments are used again
    }

    private static long number(byte[] record) {
      return Long.parseLong(new String(record, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
      reader.close();
      consumed.close();
      messages.close();
    }
  }

  // end

  @Test
  void messagesAreDeliveredInOrderAndAgainUntilTheyAreAccepted() throws Exception {
    try (MessageQueue queue = new MessageQueue(directory)) {
      queue.send("one");
      queue.send("two");
      queue.send("three");
      assertThat(queue.receive(Limit.limit())).isEqualTo("one");
      queue.accept();
      assertThat(queue.receive(Limit.limit())).isEqualTo("two");
    }
    try (MessageQueue queue = new MessageQueue(directory)) {
      assertThat(queue.receive(Limit.limit())).isEqualTo("two");
      queue.accept();
      assertThat(queue.receive(Limit.limit())).isEqualTo("three");
      queue.accept();
      assertThat(queue.receive(Duration.ZERO)).isNull();
    }
  }
}
