package io.everheap.replication;

import io.everheap.error.FencedException;
import io.everheap.log.RemoteCopies;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open heap without anything but numbers, which a test sets. */
final class ScriptedOrigin implements Origin {
  private final UUID uuid = new UUID(1, 2);
  private final AtomicReference<@Nullable RemoteCopies> copies = new AtomicReference<>();
  volatile boolean open = true;
  volatile long durable;
  volatile long term;
  volatile Runnable beforeFollow = () -> {};
  private volatile @Nullable Supplier<FencedException> refusal;

  @Override
  public String kind() {
    return "heap";
  }

  @Override
  public UUID uuid() {
    return uuid;
  }

  @Override
  public String location() {
    return "here";
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean encrypted() {
    return false;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public long durable() {
    return durable;
  }

  @Override
  public long lag(long lsn) {
    return Math.max(0, durable - Math.max(0, lsn));
  }

  @Override
  public AtomicReference<@Nullable RemoteCopies> copies() {
    return copies;
  }

  @Override
  public void refuse(Supplier<FencedException> why) {
    refusal = why;
  }

  @Override
  public @Nullable RuntimeException refusal() {
    Supplier<FencedException> why = refusal;
    return why == null ? null : why.get();
  }

  @Override
  public void requireOutside(String what) {}

  @Override
  public Session session(Primary primary, Copies copies, Connection connection) {
    return new Session(this, primary, copies, connection) {
      @Override
      void serve(Hello hello) throws IOException {
        start(new byte[0]);
        beforeFollow.run();
        follow(() -> new byte[0]);
      }
    };
  }
}
