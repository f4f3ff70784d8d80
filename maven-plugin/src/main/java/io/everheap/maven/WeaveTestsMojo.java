package io.everheap.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Weaves the durable classes among the tests, and the tests that use fields of such classes.
 *
 * @since 0.9
 */
@Mojo(
    name = "weave-tests",
    defaultPhase = LifecyclePhase.TEST_COMPILE,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
public final class WeaveTestsMojo extends AbstractMojo {
  /** The classes to be woven, in place. */
  @Parameter(defaultValue = "${project.build.testOutputDirectory}", required = true)
  File directory = new File("");

  /** What they use: directories and jars. */
  @Parameter(defaultValue = "${project.testClasspathElements}", readonly = true, required = true)
  List<String> classPath = List.of();

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    Weaving.weave(directory, classPath, getLog());
  }
}
