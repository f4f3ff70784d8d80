package io.everheap.engine.event;

import java.lang.reflect.Field;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Takes the messages of all heaps in place of their logger, until it is closed. */
public final class LoggedMessages implements AutoCloseable {
  /** A message, and the throwable that was logged with it. */
  public record Logged(System.Logger.Level level, String message, @Nullable Throwable thrown) {}

  private final List<Logged> all = new CopyOnWriteArrayList<>();
  private final Field field;
  private final @Nullable Object before;

  /** Begins. */
  public LoggedMessages() {
    try {
      field = EngineLogger.class.getDeclaredField("logger");
      field.setAccessible(true);
      before = field.get(null);
      field.set(null, new Recorder());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** The messages so far. */
  public List<Logged> all() {
    return all;
  }

  @Override
  public void close() {
    try {
      field.set(null, before);
    } catch (IllegalAccessException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private final class Recorder implements System.Logger {
    @Override
    public String getName() {
      return "io.everheap";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      all.add(new Logged(level, String.valueOf(message), thrown));
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        Object @Nullable ... parameters) {
      all.add(new Logged(level, String.valueOf(format), null));
    }
  }
}
