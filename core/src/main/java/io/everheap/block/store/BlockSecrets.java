package io.everheap.block.store;

import io.everheap.engine.RegionFile;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Calls the constructors of raw blocks and regions for the rest of the library (the "shared
 * secrets" pattern). These constructors are not public, because their parameters have types that
 * are not exported. The package of blocks is above this one, hence the results of type {@link
 * Object}.
 *
 * <p>Safe for use by many threads; installed once, by the initializer of an exported class.
 */
public abstract class BlockSecrets {
  private static volatile @Nullable BlockSecrets installed;

  /** Creates the only instance. */
  protected BlockSecrets() {}

  /** Installs the instance. */
  public static void install(BlockSecrets secrets) {
    installed = secrets;
  }

  /**
   * Returns the instance.
   *
   * @param installer class whose initializer installs it
   */
  public static BlockSecrets of(Class<?> installer) {
    BlockSecrets known = installed;
    if (known == null) {
      try {
        MethodHandles.lookup().ensureInitialized(installer);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
      known = installed;
    }
    if (known == null) {
      throw new AssertionError(installer + " installed nothing");
    }
    return known;
  }

  /** Returns the {@code Blocks} of a heap. */
  public abstract Object blocks(BlockStore store);

  /**
   * Returns the {@code Block} that a reference leads to.
   *
   * @throws io.everheap.error.GoneException if there is no such block
   */
  public abstract Object block(BlockStore store, long reference);

  /** Returns the {@code UnloggedRegion} of a file. */
  public abstract Object region(String name, RegionFile file);
}
