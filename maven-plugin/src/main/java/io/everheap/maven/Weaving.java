package io.everheap.maven;

import io.everheap.weaver.DirectoryWeaver;
import io.everheap.weaver.WeavingException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.Log;

/** What both goals do. */
final class Weaving {
  private Weaving() {}

  static void weave(File directory, List<String> classPath, Log log)
      throws MojoExecutionException, MojoFailureException {
    try {
      List<String> woven =
          new DirectoryWeaver(directory.toPath(), classPath.stream().map(Path::of).toList())
              .weave();
      woven.forEach(name -> log.debug("wove " + name));
      log.info(woven.isEmpty() ? "Nothing to weave" : "Wove " + woven.size() + " classes");
    } catch (WeavingException e) {
      throw new MojoFailureException(e.getMessage(), e);
    } catch (IOException e) {
      throw new MojoExecutionException("cannot weave " + directory, e);
    }
  }
}
