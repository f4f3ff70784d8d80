package io.everheap.jcache.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.everheap.cache.CacheNames;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that names the types of a cache is one of these types, or refused. */
@Campaign
class CachePropertiesFuzzTest {
  @TempDir Path temp;

  @Test
  void identities() throws Exception {
    var directory = new CacheDirectory(temp, "words");
    directory.prepare(String.class, Long.class);
    Path file = CacheNames.directory(temp, "words").resolve("cache.properties");
    Fuzz.bytes("cache-properties")
        .from(Files.readAllBytes(file))
        .from("keys=\\u00e4\nvalues : java.lang.Long\n".getBytes(ISO_8859_1))
        .inputs(1500)
        .allow(CacheException.class::isInstance)
        .run(
            input -> {
              Files.write(file, input);
              directory.prepare(String.class, Long.class);
            });
  }
}
