package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.AbstractPersistenceCompatibilityTest;
import org.infinispan.persistence.IdentityKeyValueWrapper;
import org.infinispan.test.data.Value;
import org.testng.annotations.Test;

/**
 * Heaps that an earlier build of this module wrote are read and written. They were made by {@link
 * #generateOldData}, and their directories zipped.
 */
@Test(groups = "functional", testName = "everheap.CompatibilityTest")
public class CompatibilityTest extends AbstractPersistenceCompatibilityTest<Value> {
  private static final long LOG_SIZE = 16L << 20;

  /** Made by TestNG. */
  public CompatibilityTest() {
    super(IdentityKeyValueWrapper.instance());
  }

  /** A heap of format 2 whose cache has a map for each segment. */
  public void segmented() throws Exception {
    setParameters(Version._12_1, true, true);
    doTestReadWrite();
  }

  /** A heap of format 2 whose cache has one map. */
  public void unsegmented() throws Exception {
    setParameters(Version._12_1, false, false);
    doTestReadWrite();
  }

  @Override
  protected void beforeStartCache() throws IOException {
    String name = "/heaps/format-2-" + (oldSegmented ? "" : "un") + "segmented.zip";
    Path heap = Files.createDirectories(Path.of(tmpDirectory, "heap"));
    try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(name), name);
        var zip = new ZipInputStream(in)) {
      for (ZipEntry file = zip.getNextEntry(); file != null; file = zip.getNextEntry()) {
        Path target = heap.resolve(file.getName());
        if (file.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(zip, target);
        }
      }
    }
  }

  @Override
  protected String cacheName() {
    return "everheap-compatibility";
  }

  @Override
  protected void configurePersistence(ConfigurationBuilder builder, boolean generating) {
    builder
        .persistence()
        .addStore(EverheapStoreConfigurationBuilder.class)
        .segmented(generating ? oldSegmented : newSegmented)
        .path(tmpDirectory + "/heap")
        .logSize(LOG_SIZE);
  }
}
