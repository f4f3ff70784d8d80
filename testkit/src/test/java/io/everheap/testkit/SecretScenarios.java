package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.Crash;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What must not leave an encrypted heap: a nonce twice, and its keys. */
public final class SecretScenarios {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int HEADER = 4096;
  private static final int SECTOR = 512;

  private SecretScenarios() {}

  /**
   * A heap goes through writes and syncs that fail, kills and power losses, and copies of it go on:
   * of all sectors that were ever given to the disk, no two have one nonce, whether they arrived or
   * not.
   */
  public static void noncesOverFailures() {
    Map<String, byte[]> sectors = new HashMap<>();
    SimulatedMedium machine = SimulatedMedium.file(1);
    Random random = new Random(1);
    for (int round = 0; round < 40; round++) {
      fail(machine, random);
      try {
        use(machine, sectors, round);
      } catch (EverheapException | Crash e) {
        // as intended
      }
      SimulatedMedium next =
          random.nextBoolean() ? machine.processKill() : machine.powerLoss(Chooser.random(round));
      if (round % 8 == 7) {
        SimulatedMedium copy = machine.processKill(); // both go on
        use(copy, sectors, -round);
      }
      machine = next;
    }
    assertThat(sectors.size()).isGreaterThan(1000);
  }

  private static void fail(SimulatedMedium medium, Random random) {
    int nth = 1 + random.nextInt(12);
    switch (random.nextInt(5)) {
      case 0 -> medium.faults().cutWrite(nth);
      case 1 -> medium.faults().failSync(nth);
      case 2 -> medium.faults().failDurableWrite(nth);
      case 3 -> medium.dieAt(medium.points() + 10L * nth);
      default -> {}
    }
  }

  private static void use(SimulatedMedium medium, Map<String, byte[]> sectors, int round) {
    try (Heap heap =
        new SimulatedHeaps(Durability.SYNC, builder -> builder.encrypt(KEY))
            .open(medium, recorded(medium, sectors))) {
      var map = heap.map("m", Integer.class, String.class);
      for (int i = 0; i < 20; i++) {
        map.put(i, "value " + i + " of " + round);
        if (i % 9 == 8) {
          heap.checkpoint();
        }
      }
    }
  }

  /** A medium that remembers each sector that it is given. */
  private static Medium recorded(SimulatedMedium medium, Map<String, byte[]> sectors) {
    return (Medium)
        Proxy.newProxyInstance(
            Medium.class.getClassLoader(),
            new Class<?>[] {Medium.class},
            (proxy, method, arguments) -> {
              Object result = HookedMedium.call(medium, method, arguments);
              return result instanceof MediumFile file && !file.name().startsWith("keys")
                  ? recorded(file, sectors)
                  : result;
            });
  }

  private static MediumFile recorded(MediumFile file, Map<String, byte[]> sectors) {
    return (MediumFile)
        Proxy.newProxyInstance(
            MediumFile.class.getClassLoader(),
            new Class<?>[] {MediumFile.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("write")) {
                record((ByteBuffer) arguments[0], (Long) arguments[1], sectors);
              }
              return HookedMedium.call(file, method, arguments);
            });
  }

  private static void record(ByteBuffer bytes, long position, Map<String, byte[]> sectors) {
    ByteBuffer source = bytes.duplicate();
    int skip = (int) Math.max(0, HEADER - position);
    for (int at = source.position() + skip; at + SECTOR <= source.limit(); at += SECTOR) {
      byte[] sector = new byte[SECTOR];
      source.get(at, sector);
      String nonce = new String(sector, 0, 24, StandardCharsets.ISO_8859_1);
      byte[] before = sectors.putIfAbsent(nonce, sector);
      assertThat(before == null || Arrays.equals(before, sector))
          .as("one nonce, one sector")
          .isTrue();
    }
  }

  /** Neither the data key nor the wrapping key is in a message, whatever goes wrong. */
  public static void keysInMessages() {
    byte[] wrapping = HexFormat.of().parseHex("8badf00d".repeat(8));
    List<byte[]> keys = new ArrayList<>(List.of(wrapping));
    KeyProvider provider = remembering(KeyProvider.of(wrapping), keys);
    List<String> said = new ArrayList<>();
    Handler handler = handler(said);
    Logger logger = Logger.getLogger("io.everheap");
    Level level = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
    try {
      SimulatedMedium made = SimulatedMedium.file(1);
      open(made, provider).close();
      SimulatedMedium medium = made.processKill();
      KeyFile.read(medium).rewrap(medium, provider, provider);
      said.add(text(catchThrowable(() -> open(medium.processKill(), KEY).close())));
      SimulatedMedium damaged = medium.processKill();
      damaged.flipBit("heap", HEADER + 100, 0);
      damaged.flipBit("heap", HEADER + 4608 + 100, 0);
      said.add(text(catchThrowable(() -> open(damaged, provider).close())));
      said.add(provider + " " + keys);
      try (Heap heap = open(medium.processKill(), provider)) {
        said.add(heap + " " + heap.stats() + " " + heap.verify());
      }
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(level);
    }
    assertThat(keys.size()).isGreaterThan(1);
    assertThat(said).isNotEmpty();
    for (byte[] key : keys) {
      assertThat(said.toString())
          .doesNotContainIgnoringCase(HexFormat.of().formatHex(key))
          .doesNotContain(Arrays.toString(key));
    }
  }

  private static Heap open(SimulatedMedium medium, KeyProvider provider) {
    return new SimulatedHeaps(Durability.SYNC, builder -> builder.encrypt(provider)).open(medium);
  }

  private static KeyProvider remembering(KeyProvider provider, List<byte[]> keys) {
    return new KeyProvider() {
      @Override
      public byte[] wrap(byte[] dataKey, byte[] context) {
        keys.add(dataKey.clone());
        return provider.wrap(dataKey, context);
      }

      @Override
      public byte[] unwrap(byte[] wrapped, byte[] context) {
        return provider.unwrap(wrapped, context);
      }
    };
  }

  private static String text(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static Handler handler(List<String> said) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        said.add(line.getMessage() + Arrays.toString(line.getParameters()));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
