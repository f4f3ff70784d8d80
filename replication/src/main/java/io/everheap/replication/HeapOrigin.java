package io.everheap.replication;

import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaPosition;
import io.everheap.error.FencedException;
import io.everheap.log.RemoteCopies;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open heap. */
record HeapOrigin(Engine engine) implements Origin {
  @Override
  public String kind() {
    return "heap";
  }

  @Override
  public UUID uuid() {
    return engine.uuid();
  }

  @Override
  public String location() {
    return engine.location();
  }

  @Override
  public boolean isOpen() {
    return engine.isOpen();
  }

  @Override
  public boolean encrypted() {
    return engine.medium().encrypted();
  }

  @Override
  public long term() {
    return ReplicaPosition.term(engine.memory());
  }

  @Override
  public long durable() {
    return engine.log().durable();
  }

  @Override
  public long lag(long lsn) {
    return Math.max(0, durable() - lsn);
  }

  @Override
  public AtomicReference<@Nullable RemoteCopies> copies() {
    return engine.transactions().copies();
  }

  @Override
  public void refuse(Supplier<FencedException> why) {
    engine.refuseTransactions(why);
  }

  @Override
  public @Nullable RuntimeException refusal() {
    return engine.refusal();
  }

  @Override
  public void requireOutside(String what) {
    engine.transactions().requireOutside(what);
  }

  @Override
  public Session session(Primary primary, Copies copies, Connection connection) {
    return new HeapSession(engine, this, primary, copies, connection);
  }
}
