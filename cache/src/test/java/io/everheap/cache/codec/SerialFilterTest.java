package io.everheap.cache.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import io.everheap.support.Limit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody wrote into the files of a cache runs nothing, and takes no memory and no time. */
class SerialFilterTest {
  private static final ClassLoader LOADER = SerialFilterTest.class.getClassLoader();
  private static volatile boolean ran;

  /** A class that the cache does not know, whose objects run code when they are read. */
  static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ran = true;
      in.defaultReadObject();
    }
  }

  private static byte[] serialized(Object object) {
    var bytes = new ByteArrayOutputStream();
    bytes.write(0); // the form of what is serialized
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMapWithAKeyThatHasNoValueIsRefused(boolean keys) {
    byte[] bytes = serialized(List.of("a", "b", "c"));
    int length = bytes.length - 3 * 4 - 4; // after it, three strings of 4 bytes, and the end
    while (bytes[length] != 0x77) { // the block that has the number of parts
      length--;
    }
    assertThat(bytes[length - 1]).isEqualTo((byte) 1); // of a list
    bytes[length - 1] = 3; // of a map
    refused(codec(keys), bytes);
  }

  private static Codec<Object> codec(boolean keys) {
    return keys ? CacheCodecs.keys(Object.class, LOADER) : CacheCodecs.values(Object.class, LOADER);
  }

  private static void refused(Codec<?> codec, byte[] bytes) {
    FutureTask<Boolean> reading =
        new FutureTask<>(
            () -> {
              assertThatThrownBy(() -> codec.read(new CodecInput(bytes)))
                  .isInstanceOf(CorruptValueException.class);
              return true;
            });
    Thread.ofPlatform().daemon().start(reading);
    assertThat(get(reading)).isTrue();
  }

  private static boolean get(FutureTask<Boolean> reading) {
    try {
      return Limit.get(reading);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClassThatIsNotAllowedRunsNothing(boolean keys) {
    for (Object hostile :
        List.of(
            new Gadget(),
            List.of(new Gadget()),
            new HashMap<>(Map.of("a", new Gadget())),
            new Gadget[] {new Gadget()})) {
      ran = false;
      refused(codec(keys), serialized(hostile));
      assertThat(ran).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatCouldNotBeReadIsNotWritten(boolean keys) {
    assertThatThrownBy(() -> codec(keys).write(new Gadget(), new CodecOutput()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Gadget.class.getName())
        .hasMessageContaining("serial filter");
  }

  /** A value of a declared class has none of other packages in it. */
  @Test
  void aDeclaredTypeAllowsItsPackageAlone() {
    Codec<? extends Serializable> declared = CacheCodecs.values(Gadget.class, LOADER);
    ran = false;
    assertThat(declared.read(new CodecInput(serialized(new Gadget())))).isInstanceOf(Gadget.class);
    assertThat(ran).isTrue();
    refused(declared, serialized(List.of(new io.everheap.cache.OfAnotherPackage())));
  }

  @Test
  void aFilterAllowsAndRejectsFurtherClasses() {
    ObjectInputFilter allows =
        ObjectInputFilter.Config.createFilter(Gadget.class.getName() + ";!java.util.TreeMap");
    Codec<Object> codec = CacheCodecs.values(Object.class, LOADER, allows);
    var out = new CodecOutput();
    codec.write(new ArrayList<>(List.of(new Gadget())), out);
    assertThat(codec.read(new CodecInput(out.toByteArray()))).isInstanceOf(List.class);
    refused(codec, serialized(new TreeMap<>(Map.of("a", "b"))));
  }

  /** Bytes of an array of two thousand million elements, of which none follows. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHugeArrayTakesNoMemory(boolean keys) {
    for (Object array : List.of(new int[0], new Object[0], new long[0][0])) {
      byte[] bytes = serialized(array);
      ByteBuffer.wrap(bytes).putInt(bytes.length - 4, Integer.MAX_VALUE - 8);
      refused(codec(keys), bytes);
    }
  }

  /** Each of these arrays is no longer than the stream; all of them would fill the memory. */
  @Test
  void manyLargeArraysTakeNoMemory() {
    Object[] outer = {};
    for (int i = 0; i < 100; i++) {
      outer = new Object[] {outer};
    }
    byte[] bytes = serialized(new Object[] {outer, "x".repeat(1 << 20)});
    ByteBuffer all = ByteBuffer.wrap(bytes);
    int enlarged = 0;
    for (int i = 0; i < 3000; i++) {
      if (all.getInt(i) == 1) {
        all.putInt(i, 1 << 20);
        enlarged++;
      }
    }
    assertThat(enlarged).isEqualTo(100);
    refused(codec(false), bytes);
  }

  /** The hash of the outermost set takes as many steps as two to the power of the levels. */
  @Test
  void setsWithinSetsEnd() {
    Set<Object> root = new HashSet<>();
    Set<Object> one = root;
    Set<Object> other = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Set<Object> below = new HashSet<>();
      Set<Object> beside = new HashSet<>(Set.of("beside"));
      one.add(below);
      one.add(beside);
      other.add(below);
      other.add(beside);
      one = below;
      other = beside;
    }
    SerialFilter filter = new SerialFilter(Object.class, null, 50_000_000);
    refused(new DynamicCodec<>(Object.class, LOADER, filter), serialized(root));
    refused(new OneFormCodec<>(Object.class, LOADER, filter), serialized(root));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deepNestingEnds(boolean keys) {
    Object deep = "a";
    for (int i = 0; i < 1000; i++) {
      deep = new Object[] {deep};
    }
    refused(codec(keys), serialized(deep));
  }

  /** Lists within lists, in the form of keys. */
  @Test
  void deepNestingOfKeysEnds() {
    byte[] bytes = {1, 0};
    for (int i = 0; i < 3000; i++) {
      var out = new CodecOutput();
      out.writeByte(41);
      out.writeVarInt(1);
      out.writeVarInt(bytes.length);
      out.writeBytes(bytes, 0, bytes.length);
      bytes = out.toByteArray();
    }
    refused(codec(true), bytes);
  }

  @Test
  void aProxyHasAllowedInterfacesAndAnAllowedHandler() {
    Object proxy = Proxy.newProxyInstance(LOADER, new Class<?>[] {Callable.class}, new Methods());
    refused(codec(false), serialized(proxy));
  }

  /** A handler that is not allowed. */
  static final class Methods implements java.lang.reflect.InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return method.getName();
    }
  }

  @Test
  void whatTheJdkHasIsReadAgain() {
    for (Object value :
        List.of(
            new ArrayList<>(List.of(1, "two", 3.0)),
            new HashMap<>(Map.of("a", List.of(java.time.LocalDate.EPOCH))),
            java.util.Optional.of("x"),
            java.util.EnumSet.of(java.time.DayOfWeek.MONDAY),
            java.net.URI.create("http://example.com"),
            java.util.Locale.ROOT,
            java.util.TimeZone.getTimeZone("Europe/Berlin"),
            new java.util.concurrent.ConcurrentHashMap<>(Map.of(1, 2)),
            new String[][] {{"a"}, {}})) {
      var out = new CodecOutput();
      codec(false).write(value, out);
      Object read = codec(false).read(new CodecInput(out.toByteArray()));
      if (!value.getClass().isArray()) {
        assertThat(read).isEqualTo(value);
      }
    }
  }

  /** Reads a list in a JVM whose own filter rejects one. */
  static final class OtherJvm {
    public static void main(String[] arguments) {
      try {
        codec(false).read(new CodecInput(serialized(new ArrayList<>())));
        System.out.println("read");
      } catch (CorruptValueException e) {
        System.out.println("refused");
      }
    }
  }

  @Test
  void theFilterOfTheJvmCountsAsWell() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.serialFilter=!java.util.ArrayList",
                "-cp",
                System.getProperty("java.class.path"),
                OtherJvm.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(Limit.waitFor(process)).isZero();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo("refused");
  }
}
