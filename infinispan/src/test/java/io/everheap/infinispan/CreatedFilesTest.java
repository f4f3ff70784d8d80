package io.everheap.infinispan;

import io.everheap.support.CreatedFilesContract;
import io.everheap.support.tier.Processes;
import java.nio.file.Path;

/** Files of the store of a cache of Infinispan. */
@Processes
class CreatedFilesTest extends CreatedFilesContract {
  @Override
  protected int make(String umask, Path in) throws Exception {
    run(umask, CreatedFilesProgram.class.getName(), in.toString());
    return 5;
  }
}
