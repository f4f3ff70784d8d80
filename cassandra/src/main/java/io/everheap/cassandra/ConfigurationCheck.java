package io.everheap.cassandra;

import io.everheap.stability.Evolving;
import io.everheap.store.ShardedStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.config.StartupChecksConfiguration;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.StartupException;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.service.StartupCheck;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to start a node whose {@code cassandra.yaml} lacks the memtable configuration of a table
 * that is in a store: Cassandra would use its default memtable, and the table would seem to be
 * empty. It knows the directories of the configurations that are there, and the default one. Found
 * by Cassandra with the service loader.
 *
 * @since 0.9
 */
@Evolving
public final class ConfigurationCheck implements StartupCheck {
  /** Creates the check. */
  public ConfigurationCheck() {}

  @Override
  public String name() {
    return "check_everheap_memtables";
  }

  @Override
  public void execute(StartupChecksConfiguration configuration) throws StartupException {
    Map<Path, MemtableOptions> directories = new HashMap<>();
    for (String name : MemtableParams.knownDefinitions()) {
      MemtableFactory factory = factory(name);
      if (factory != null) {
        MemtableOptions options = factory.options();
        MemtableOptions other = directories.putIfAbsent(options.directory(), options);
        if (other != null && !options.isSameStore(other)) {
          throw new StartupException(
              StartupException.ERR_WRONG_CONFIG, MemtableOptions.conflict(options, other));
        }
      }
    }
    MemtableOptions byDefault = MemtableOptions.take(new HashMap<>());
    directories.putIfAbsent(byDefault.directory(), byDefault);
    for (MemtableOptions options : directories.values()) {
      if (ShardedStore.exists(options.directory())) {
        check(options);
      }
    }
  }

  private static void check(MemtableOptions options) throws StartupException {
    Map<String, String> missing = new TreeMap<>(store(options).generations().configurations());
    missing.values().removeIf(name -> factory(name) != null);
    if (!missing.isEmpty()) {
      throw new StartupException(
          StartupException.ERR_WRONG_CONFIG,
          "Tables in "
              + options.directory()
              + " have memtable configurations that cassandra.yaml does not have, or not with the"
              + " class "
              + EverheapMemtable.class.getName()
              + ", so their rows would be missing: "
              + missing
              + ". Add them to memtable.configurations.");
    }
  }

  private static NodeStore store(MemtableOptions options) throws StartupException {
    try {
      return NodeStore.of(options);
    } catch (ConfigurationException e) {
      throw new StartupException(StartupException.ERR_WRONG_CONFIG, e.getMessage());
    }
  }

  private static @Nullable MemtableFactory factory(String name) {
    try {
      return MemtableParams.get(name).factory() instanceof MemtableFactory factory ? factory : null;
    } catch (ConfigurationException e) {
      return null;
    }
  }
}
