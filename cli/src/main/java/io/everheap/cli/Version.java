package io.everheap.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * The version that {@code everheap --version} prints: of this build, and of the Java it runs on.
 */
final class Version implements IVersionProvider {
  private static final String RESOURCE = "version.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "everheap " + ofBuild(), "java " + System.getProperty("java.runtime.version")
    };
  }

  static String ofBuild() throws IOException {
    var properties = new Properties();
    try (InputStream in =
        Objects.requireNonNull(Version.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      properties.load(in);
    }
    return Objects.requireNonNull(properties.getProperty("version"), "version");
  }
}
