package io.everheap.benchmarks.store;

import io.everheap.benchmarks.harness.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A subject that works on one store. The parameters {@code binding}, {@code directory} and {@code
 * mode} say which; requests open it.
 */
public abstract class StoreSubject implements Subject {
  private @Nullable Map<String, String> parameters;
  private @Nullable Store store;

  /** Makes a subject whose store is not open. */
  protected StoreSubject() {}

  @Override
  public void open(Map<String, String> given) throws Exception {
    parameters = given;
  }

  /** The value of a parameter. */
  protected final String parameter(String name) {
    return Objects.requireNonNull(Objects.requireNonNull(parameters, "not open").get(name), name);
  }

  /** What a write has to survive. */
  protected final Mode mode() {
    return Mode.valueOf(parameter("mode"));
  }

  /**
   * Opens the store.
   *
   * @param bulk whether writes need not be durable before it is closed
   * @param records about how many there will be
   * @param valueBytes of a record, without its key
   */
  protected final Store openStore(boolean bulk, long records, int valueBytes) throws IOException {
    Path directory = Files.createDirectories(Path.of(parameter("directory")));
    Store opened =
        binding().open(new Binding.Opening(directory, mode(), bulk, records, valueBytes));
    store = opened;
    return opened;
  }

  private Binding binding() {
    try {
      return Class.forName(parameter("binding"))
          .asSubclass(Binding.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The store, which is open. */
  protected final Store store() {
    return Objects.requireNonNull(store, "not open");
  }

  @Override
  public void close() throws IOException {
    Store closing = store;
    store = null;
    if (closing != null) {
      closing.close();
    }
  }
}
