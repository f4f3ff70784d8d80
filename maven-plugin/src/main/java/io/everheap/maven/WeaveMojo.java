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
 * Weaves the durable classes of the project, and the classes that use their fields, in the phase in
 * which they are compiled: Maven's own compiler runs first there, other plug-ins in the order in
 * which the pom lists them.
 *
 * @since 0.9
 */
@Mojo(
    name = "weave",
    defaultPhase = LifecyclePhase.COMPILE,
    requiresDependencyResolution = ResolutionScope.COMPILE,
    threadSafe = true)
public final class WeaveMojo extends AbstractMojo {
  /** The classes to be woven, in place. */
  @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
  File directory = new File("");

  /** What they use: directories and jars. */
  @Parameter(defaultValue = "${project.compileClasspathElements}", readonly = true, required = true)
  List<String> classPath = List.of();

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    Weaving.weave(directory, classPath, getLog());
  }
}
