package io.everheap.it;

import io.everheap.support.CreatedFilesContract;
import io.everheap.support.tier.Processes;
import java.nio.file.Path;

/** Files of the library, the cache, the store and the commands. */
@Processes
class CreatedFilesTest extends CreatedFilesContract {
  private static final String COMMAND = "io.everheap.cli.Main";

  @Override
  protected int make(String umask, Path in) throws Exception {
    String heap = in.resolve("heap").toString();
    run(umask, CreatedFilesProgram.class.getName(), in.toString());
    run(umask, COMMAND, "export", heap, "--to", in.resolve("export.json").toString());
    run(umask, COMMAND, "create", in.resolve("created").toString());
    run(umask, COMMAND, "salvage", heap, "--to", in.resolve("salvaged").toString());
    return 80;
  }
}
