package io.everheap.replication;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What this package, or a class of it, logs while it is open. */
final class Log extends Handler implements AutoCloseable {
  private final Logger logger;
  private final Level level;
  final List<String> lines = new CopyOnWriteArrayList<>();
  final List<Throwable> stacks = new CopyOnWriteArrayList<>();

  Log() {
    this(Primary.class.getPackageName());
  }

  Log(Class<?> of) {
    this(of.getName());
  }

  private Log(String name) {
    logger = Logger.getLogger(name);
    level = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord entry) {
    lines.add(entry.getMessage());
    if (entry.getThrown() != null) {
      stacks.add(entry.getThrown());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(level);
  }
}
