package io.everheap.engine.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.memory.FileMedium;
import io.everheap.support.Limit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publishing counters, and reading them in the middle of that. */
class CountersTest {
  private static final UUID HEAP = new UUID(1, 2);

  private final AtomicLong value = new AtomicLong(5);

  @TempDir private Path directory;
  private FileMedium medium;
  private CountersWriter writer;

  @BeforeEach
  void open() {
    medium = FileMedium.open(directory, false, true);
    writer = new CountersWriter(medium, HEAP, counter -> value.get() + counter.label().length());
  }

  @AfterEach
  void close() {
    medium.close();
  }

  @Test
  void aReaderSeesTheNewestPublicationAndTheOneBefore() {
    assertThat(CountersReader.read(directory)).isEmpty();
    writer.publish(CountersLayout.OPEN);
    HeapCounters first = read();
    assertThat(first.heap()).isEqualTo(HEAP);
    assertThat(first.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(first.state()).isEqualTo(HeapCounters.State.OPEN);
    assertThat(first.before()).isEmpty();
    assertThat(first.rate(Counter.COMMITS)).isEmpty();
    assertThat(first.now().values()).hasSize(Counter.values().length);
    for (int n = 2; n < 20; n++) {
      value.addAndGet(n);
      writer.publish(CountersLayout.OPEN);
      HeapCounters read = read();
      assertThat(read.number()).isEqualTo(n);
      assertThat(read.now().get(Counter.ABORTS)).contains(value.get() + 6);
      assertThat(read.before().orElseThrow().get(Counter.ABORTS)).contains(value.get() + 6 - n);
      assertThat(read.rate(Counter.COMMITS).orElseThrow()).isPositive();
    }
    writer.publish(CountersLayout.POISONED);
    assertThat(read().state()).isEqualTo(HeapCounters.State.POISONED);
  }

  @Test
  void closingDeletesTheFileAndADeletedFileIsMadeAgain() throws IOException {
    writer.publish(CountersLayout.OPEN);
    writer.publish(CountersLayout.OPEN);
    Files.delete(file());
    writer.publish(CountersLayout.OPEN);
    assertThat(read().number()).isEqualTo(1);
    writer.close();
    writer.close();
    assertThat(file()).doesNotExist();
  }

  @Test
  void aTruncatedFileDisturbsNothing() throws IOException {
    writer.publish(CountersLayout.OPEN);
    Files.write(file(), new byte[0]);
    writer.publish(CountersLayout.OPEN);
    assertThatThrownBy(() -> CountersReader.read(directory)).isInstanceOf(CorruptException.class);
    medium.requireIntact();
  }

  @Test
  void theMarkOfAnotherProcessIsStale() throws IOException {
    writer.publish(CountersLayout.OPEN);
    byte[] bytes = Files.readAllBytes(file());
    int digit = CountersLayout.PROCESS + 4;
    Arrays.fill(bytes, digit, digit + 1, (byte) (bytes[digit] == '9' ? '8' : '9'));
    Files.write(file(), bytes);
    assertThat(read().state()).isEqualTo(HeapCounters.State.STALE);
  }

  @Test
  void whatIsNoFileOfCountersIsRefused() throws IOException {
    writer.publish(CountersLayout.OPEN);
    byte[] bytes = Files.readAllBytes(file());
    bytes[CountersLayout.VERSION] = 2;
    Files.write(file(), bytes);
    assertThatThrownBy(() -> CountersReader.read(directory))
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining("(EH-FORMAT)");
    bytes[0]++;
    Files.write(file(), bytes);
    assertThatThrownBy(() -> CountersReader.read(directory))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("no file of counters");
  }

  @Test
  void aDamagedHeaderDoesNoHarm() throws IOException {
    writer.publish(CountersLayout.OPEN);
    byte[] sound = Files.readAllBytes(file());
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = sound.clone();
      ByteBuffer.wrap(damaged)
          .putInt(CountersLayout.COUNT + random.nextInt(0, 600), random.nextInt());
      Files.write(file(), damaged);
      try {
        CountersReader.read(directory);
      } catch (CorruptException e) {
        assertThat(e).hasMessageContaining("counters");
      }
    }
  }

  @Test
  void whatIsReadWhileItIsPublishedIsWhole() throws InterruptedException {
    int publications = 20_000;
    writer.publish(CountersLayout.OPEN);
    Thread publishing =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < publications; i++) {
                    value.incrementAndGet();
                    writer.publish(CountersLayout.OPEN);
                  }
                });
    while (publishing.isAlive()) {
      HeapCounters read;
      try {
        read = read();
      } catch (CorruptException e) {
        continue; // one that publishes without a pause may be faster
      }
      for (Counter counter : Counter.values()) {
        long expected = 5 + read.number() - 1 + counter.label().length();
        assertThat(read.now().get(counter)).contains(expected);
        read.before().ifPresent(b -> assertThat(b.get(counter)).contains(expected - 1));
      }
    }
    Limit.join(publishing);
    assertThat(read().number()).isEqualTo(publications + 1);
  }

  private HeapCounters read() {
    return CountersReader.read(directory).orElseThrow();
  }

  private Path file() {
    return directory.resolve(CountersLayout.NAME);
  }
}
