package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Seeds;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import javax.cache.Cache;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies of several answers together, and entries at their ends and a millisecond beside. */
class ExpiryModelTest {
  private static final Duration FORTY = new Duration(MILLISECONDS, 40);
  private static final Duration HUNDRED = new Duration(MILLISECONDS, 100);

  @TempDir Path directory;
  private Caches caches;

  @BeforeEach
  void open() {
    caches = new Caches(directory);
  }

  @AfterEach
  void close() {
    caches.close();
  }

  /** A policy of three answers; null to change nothing, and for ever if an entry is created. */
  private record Answers(Duration creation, Duration access, Duration update)
      implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      return creation;
    }

    @Override
    public Duration getExpiryForAccess() {
      return access;
    }

    @Override
    public Duration getExpiryForUpdate() {
      return update;
    }
  }

  private Cache<String, Integer> create(String name, ExpiryPolicy policy) {
    return caches.create(name, numbers().setExpiryPolicyFactory(() -> policy));
  }

  @Test
  void anEntryIsThereUntilTheMillisecondBeforeItsEnd() {
    Cache<String, Integer> cache = create("numbers", new Answers(HUNDRED, FORTY, null));
    cache.put("a", 1);
    caches.now.addAndGet(99);
    assertThat(cache.containsKey("a")).isTrue();
    assertThat(cache.get("a")).isEqualTo(1); // 40 more
    caches.now.addAndGet(39);
    cache.put("a", 2); // changes nothing in when it expires
    assertThat(cache.containsKey("a")).isTrue();
    caches.now.addAndGet(1);
    assertThat(cache.containsKey("a")).isFalse();
    cache.put("a", 3);
    assertThat(cache.get("a")).as("an access may shorten").isEqualTo(3);
    caches.now.addAndGet(40);
    assertThat(cache.containsKey("a")).isFalse();
  }

  /** An entry of the model. */
  private record Entry(int value, long end) {}

  /** What a cache with a policy holds. */
  private final class Model {
    final Answers answers;
    final Map<String, Entry> entries = new TreeMap<>();

    Model(Answers answers) {
      this.answers = answers;
    }

    private long end(Duration time) {
      return time.isEternal()
          ? Long.MAX_VALUE
          : caches.now.get() + time.getTimeUnit().toMillis(time.getDurationAmount());
    }

    Entry find(String key) {
      Entry entry = entries.get(key);
      if (entry != null && entry.end <= caches.now.get()) {
        entries.remove(key);
        return null;
      }
      return entry;
    }

    Integer value(String key) {
      Entry entry = find(key);
      return entry == null ? null : entry.value;
    }

    void use(String key) {
      Entry entry = find(key);
      if (entry != null && answers.access != null) {
        entries.put(key, new Entry(entry.value, end(answers.access)));
      }
    }

    Integer read(String key) {
      Integer value = value(key);
      use(key);
      return value;
    }

    void put(String key, int value) {
      Entry old = find(key);
      if (old == null) {
        long end = answers.creation == null ? Long.MAX_VALUE : end(answers.creation);
        if (end > caches.now.get()) {
          entries.put(key, new Entry(value, end));
        }
      } else {
        entries.put(key, new Entry(value, answers.update == null ? old.end : end(answers.update)));
      }
    }
  }

  @Test
  void entriesAreThereUntilTheirTimeWhateverIsDone() {
    Random random = new Random(Seeds.seed());
    List<Answers> all =
        List.of(
            new Answers(HUNDRED, null, null),
            new Answers(HUNDRED, FORTY, null),
            new Answers(FORTY, HUNDRED, null),
            new Answers(FORTY, null, HUNDRED),
            new Answers(Duration.ETERNAL, FORTY, HUNDRED),
            new Answers(HUNDRED, Duration.ETERNAL, FORTY),
            new Answers(null, Duration.ZERO, FORTY),
            new Answers(HUNDRED, FORTY, Duration.ZERO),
            new Answers(Duration.ZERO, FORTY, HUNDRED));
    for (Answers answers : all) {
      Model model = new Model(answers);
      Cache<String, Integer> cache = create("numbers", answers);
      for (int step = 0; step < 150; step++) {
        advance(model, random);
        change(cache, model, "k" + random.nextInt(4), step, random);
        String key = "k" + random.nextInt(4);
        assertThat(cache.containsKey(key)).as("%s", answers).isEqualTo(model.find(key) != null);
      }
      caches.manager().destroyCache("numbers");
    }
  }

  private void advance(Model model, Random random) {
    List<Entry> all = List.copyOf(model.entries.values());
    if (!all.isEmpty() && random.nextInt(3) == 0) {
      long end = all.get(random.nextInt(all.size())).end;
      long wanted = end - 1 + random.nextInt(3);
      if (end < Long.MAX_VALUE && wanted > caches.now.get()) {
        caches.now.set(wanted);
      }
    } else if (random.nextInt(2) == 0) {
      caches.now.addAndGet(random.nextInt(15));
    }
  }

  private void change(
      Cache<String, Integer> cache, Model model, String key, int step, Random random) {
    Integer old = model.value(key);
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> {
        cache.put(key, step);
        model.put(key, step);
      }
      case 3, 4 -> assertThat(cache.get(key)).isEqualTo(model.read(key));
      case 5 -> {
        assertThat(cache.getAndPut(key, step)).isEqualTo(old);
        model.put(key, step);
      }
      case 6 -> {
        boolean made = cache.putIfAbsent(key, step);
        if (old == null) {
          model.put(key, step);
        }
        assertThat(made).isEqualTo(old == null && !Duration.ZERO.equals(model.answers.creation));
      }
      case 7 -> {
        assertThat(cache.replace(key, step)).isEqualTo(old != null);
        if (old != null) {
          model.put(key, step);
        }
      }
      case 8 -> {
        boolean equal = old != null && random.nextBoolean();
        assertThat(cache.replace(key, equal ? old : -1, step)).isEqualTo(equal);
        if (equal) {
          model.put(key, step);
        } else {
          model.use(key);
        }
      }
      case 9 -> {
        assertThat(cache.remove(key, -1)).isFalse();
        model.use(key);
      }
      case 10 -> {
        Integer read = cache.invoke(key, (entry, arguments) -> entry.getValue());
        assertThat(read).isEqualTo(model.read(key));
      }
      case 11 -> {
        Integer set =
            cache.invoke(
                key,
                (entry, arguments) -> {
                  Integer before = entry.getValue();
                  entry.setValue(step);
                  return before;
                });
        assertThat(set).isEqualTo(old);
        model.put(key, step);
      }
      case 12 -> {
        Map<String, Integer> expected = new HashMap<>();
        Set.copyOf(model.entries.keySet())
            .forEach(
                each -> {
                  Integer value = model.read(each);
                  if (value != null) {
                    expected.put(each, value);
                  }
                });
        Map<String, Integer> found = new HashMap<>();
        cache.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        assertThat(found).isEqualTo(expected);
      }
      default -> {
        assertThat(cache.getAndRemove(key)).isEqualTo(old);
        model.entries.remove(key);
      }
    }
  }
}
