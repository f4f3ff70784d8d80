package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.CreatedFilesContract;
import io.everheap.support.tier.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files of replicas, mirrors and joins; a secret is for its owner alone wherever it is. */
@Processes
class CreatedFilesTest extends CreatedFilesContract {
  @Override
  protected int make(String umask, Path in) throws Exception {
    run(umask, CreatedFilesProgram.class.getName(), in.toString());
    Path secret = in.resolve("secret");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
    Files.delete(secret);
    return 20;
  }
}
