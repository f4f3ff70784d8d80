package io.everheap.jcache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.EvictionPolicy;
import io.everheap.support.Limit;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.FutureTask;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where caches are and what they have, from properties and URIs. */
class OptionsTest {
  private static final URI NAME = URI.create("any:name");

  @TempDir Path directory;

  private static Properties properties(String... pairs) {
    var properties = new Properties();
    for (int i = 0; i < pairs.length; i += 2) {
      properties.setProperty(pairs[i], pairs[i + 1]);
    }
    return properties;
  }

  @Test
  void whatIsSaidOfOneCacheGoesBefore() {
    var options =
        new Options(
            NAME,
            false,
            0,
            properties(
                "everheap.capacity", "1g",
                "everheap.cache.small.capacity", "512k",
                "everheap.cache.small.policy", "lru",
                "everheap.cache.small.strict", "true",
                "everheap.cache.small.directory", "there"));
    assertThat(options.capacity("small")).isEqualTo(512 << 10);
    assertThat(options.capacity("other")).isEqualTo(1 << 30);
    assertThat(options.policy("small")).isEqualTo(EvictionPolicy.LRU);
    assertThat(options.policy("other")).isEqualTo(EvictionPolicy.S3_FIFO);
    assertThat(options.isStrict("small")).isTrue();
    assertThat(options.isStrict("other")).isFalse();
    assertThat(options.directory("small")).isEqualTo(Path.of("there"));
  }

  @Test
  void classesAreAllowedByPatterns() {
    var options =
        new Options(
            NAME,
            false,
            0,
            properties(
                "everheap.serialFilter", "com.example.**",
                "everheap.cache.odd.serialFilter", "maxdepth=deep"));
    assertThat(options.serialFilter("any")).hasToString("com.example.**");
    assertThatThrownBy(() -> options.serialFilter("odd"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("everheap.serialFilter");
  }

  @Test
  void theManagersPropertiesGoBeforeTheFileAndThatBeforeItsOwnDirectory() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("my.properties"),
            "everheap.directory=data\neverheap.capacity=3m\neverheap.policy=TINY_LFU\n");
    var options = new Options(file.toUri(), false, 0, properties("everheap.capacity", "4m"));
    assertThat(options.capacity("any")).isEqualTo(4 << 20);
    assertThat(options.policy("any")).isEqualTo(EvictionPolicy.TINY_LFU);
    assertThat(options.directory("any")).isEqualTo(directory.resolve("data"));
    options = new Options(directory.toUri(), false, 0, new Properties());
    assertThat(options.directory("any")).isEqualTo(directory);
  }

  @Test
  void managersShareTheDirectoryOfTheSystemWithoutMeeting() {
    String before = System.setProperty("everheap.directory", directory.toString());
    try {
      Properties none = new Properties();
      assertThat(new Options(NAME, true, 0, none).directory("any")).isEqualTo(directory);
      assertThat(
              java.util.stream.Stream.of(
                      new Options(NAME, true, 0, none),
                      new Options(NAME, true, 1, none),
                      new Options(NAME, false, 0, none),
                      new Options(NAME, false, 1, none),
                      new Options(URI.create("other:name"), false, 0, none))
                  .map(options -> options.directory("any")))
          .doesNotHaveDuplicates()
          .allMatch(path -> path.startsWith(directory));
    } finally {
      if (before == null) {
        System.clearProperty("everheap.directory");
      } else {
        System.setProperty("everheap.directory", before);
      }
    }
  }

  @Test
  void numbersOfBytesHaveUnits() {
    assertThat(Options.bytes("1073741824")).isEqualTo(1L << 30);
    assertThat(Options.bytes(" 64 M ")).isEqualTo(64L << 20);
    assertThat(Options.bytes("2t")).isEqualTo(2L << 40);
    for (String wrong : new String[] {"", "m", "1x", "1.5g", "99999999999t"}) {
      assertThatThrownBy(() -> Options.bytes(wrong))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("everheap.capacity");
    }
    var options = new Options(NAME, false, 0, properties("everheap.policy", "best"));
    assertThatThrownBy(() -> options.policy("any"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("best");
  }

  @Test
  void whetherACacheIsStrictIsNotGuessed() {
    for (String word : new String[] {"TRUE", " true "}) {
      assertThat(new Options(NAME, false, 0, properties("everheap.strict", word)).isStrict("any"))
          .isTrue();
    }
    for (String word : new String[] {"ture", "yes", "1", ""}) {
      var options = new Options(NAME, false, 0, properties("everheap.strict", word));
      assertThatThrownBy(() -> options.isStrict("any"))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("everheap.strict");
    }
  }

  @Test
  void aKeyComesFromSomewhere() {
    assertThat(new Options(NAME, false, 0, properties()).key("any")).isNull();
    assertThat(new Options(NAME, false, 0, properties("everheap.key", "env:KEY")).key("any"))
        .isNotNull();
    var options = new Options(NAME, false, 0, properties("everheap.key", "0011"));
    assertThatThrownBy(() -> options.key("any"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("everheap.key")
        .hasMessageNotContaining("0011");
  }

  @Test
  void anIdentityThatCannotBeReadIsNamed() throws Exception {
    var cache = new CacheDirectory(directory, "numbers");
    cache.prepare(String.class, String.class);
    Path identity = cache.entries().resolveSibling("cache.properties");
    Files.writeString(identity, "name=\\u00zz");
    assertThatThrownBy(() -> cache.prepare(String.class, String.class))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(identity.toString());
  }

  @Test
  void aFileThatIsNoneEndsInAnError() throws Exception {
    Path endless = directory.resolve("endless.properties");
    Files.createSymbolicLink(endless, Path.of("/dev/zero"));
    Path pipe = directory.resolve("pipe.properties");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(Limit.waitFor(made)).isZero();
    for (Path file : List.of(endless, pipe)) {
      FutureTask<Options> opening =
          new FutureTask<>(() -> new Options(file.toUri(), false, 0, new Properties()));
      Thread.ofPlatform().daemon().start(opening);
      assertThatThrownBy(() -> Limit.get(opening))
          .hasCauseInstanceOf(CacheException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void aFileThatIsTooLongIsRefusedAndNotCut() throws IOException {
    Path file = directory.resolve("long.properties");
    Files.writeString(file, "#" + "x".repeat(Options.MAX_FILE) + "\neverheap.durability=sync\n");
    assertThatThrownBy(() -> new Options(file.toUri(), false, 0, new Properties()))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(file + ": ")
        .hasMessageContaining("longer than " + Options.MAX_FILE + " bytes");
  }
}
