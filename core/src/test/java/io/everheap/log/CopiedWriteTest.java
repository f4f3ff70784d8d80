package io.everheap.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A virtual thread sleeps until its write is durable and copied, or cannot be so. */
class CopiedWriteTest {
  private final BlockingQueue<Consumer<@Nullable EverheapException>> syncs =
      new LinkedBlockingQueue<>();
  private final BlockingQueue<Consumer<@Nullable EverheapException>> copies =
      new LinkedBlockingQueue<>();
  private final List<Long> wanted = new ArrayList<>(); // LSNs that are to be copied
  private final AtomicBoolean noMemory = new AtomicBoolean();
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private volatile long durable = 7;
  private volatile long end;

  private final RemoteCopies remote =
      new RemoteCopies() {
        @Override
        public boolean wanted() {
          return true;
        }

        @Override
        public void await(long lsn) {}

        @Override
        public void whenCopied(long lsn, Consumer<@Nullable EverheapException> action) {
          if (noMemory.get()) {
            throw new OutOfMemoryError("in a test");
          }
          wanted.add(lsn);
          copies.add(action);
        }
      };

  private final Thread writer =
      Thread.ofVirtual()
          .start(
              () -> {
                CopiedWrite write = new CopiedWrite(remote, () -> durable);
                write.await(syncs::add);
                end = write.end();
                interrupted.set(Thread.currentThread().isInterrupted());
              });

  @AfterEach
  void endThread() throws InterruptedException {
    Limit.join(writer);
  }

  private static Consumer<@Nullable EverheapException> next(
      BlockingQueue<Consumer<@Nullable EverheapException>> queue) throws InterruptedException {
    Consumer<@Nullable EverheapException> action = queue.poll(Limit.seconds(), TimeUnit.SECONDS);
    assertThat(action).isNotNull();
    return action;
  }

  @Test
  void waitsForTheSyncAndThenForTheCopiesOfWhatItMadeDurable() throws Exception {
    writer.interrupt();
    next(syncs).accept(null);
    durable = 9; // by another sync meanwhile
    assertThat(writer.isAlive()).isTrue();
    assertThat(wanted).containsExactly(7L);
    next(copies).accept(null);
    Limit.join(writer);
    assertThat(end).isEqualTo(7);
    assertThat(interrupted).isTrue();
  }

  @Test
  void aSyncThatFailedEndsTheSleep() throws Exception {
    next(syncs).accept(new MediumException("in a test", null));
    Limit.join(writer);
    assertThat(wanted).isEmpty();
  }

  @Test
  void whereNoWaitCanBeRegisteredTheThreadIsWokenAndTheLogGoesOn() throws Exception {
    noMemory.set(true);
    next(syncs).accept(null);
    Limit.join(writer);
    assertThat(end).isEqualTo(7);
  }
}
