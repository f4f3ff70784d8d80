package io.everheap.memory;

import io.everheap.error.MediumException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file medium in memory that records each change in its order. It stays open when it is closed,
 * as a directory stays when a process ends, so that the same files can be opened again.
 */
public final class RecordedMedium {
  private static final List<String> CHANGES =
      List.of("create", "rename", "delete", "syncDirectory", "close", "abandon");

  private static final List<String> FILE_CHANGES =
      List.of("write", "writeZeros", "writeDurably", "truncate", "sync");

  private final Medium under = new MemoryMedium();
  private final List<String> changes = new ArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private boolean readOnly;
  private String failing = "";

  /** Creates an empty one. */
  public RecordedMedium() {}

  /** Makes it a medium that is only read, or one that is written again. */
  public RecordedMedium readOnly(boolean value) {
    readOnly = value;
    return this;
  }

  /** Lets the changes that begin with a text fail from now on; with "" none fails. */
  public void fail(String change) {
    failing = change;
  }

  /** The medium. */
  public Medium open() {
    return proxy(Medium.class, this::call);
  }

  /** The changes since the last call, as "sync heap" or "write heap 0 4096". */
  public List<String> changes() {
    List<String> result = List.copyOf(changes);
    changes.clear();
    return result;
  }

  /** Number of files that were opened and not closed. */
  public int openFiles() {
    return open.get();
  }

  /** The names of all files. */
  public List<String> names() {
    return under.list("");
  }

  /** The bytes of a file. */
  public byte[] bytes(String name) {
    try (MediumFile file = under.open(name)) {
      byte[] bytes = new byte[(int) file.size()];
      file.read(ByteBuffer.wrap(bytes), 0);
      return bytes;
    }
  }

  /** Replaces a file, or creates it. */
  public void put(String name, byte[] bytes) {
    under.delete(name);
    try (MediumFile file = under.create(name)) {
      file.write(ByteBuffer.wrap(bytes), 0);
    }
  }

  /** Deletes a file. */
  public void remove(String name) {
    under.delete(name);
  }

  /** All files with their bytes as text, to compare. */
  public Map<String, String> contents() {
    Map<String, String> contents = new TreeMap<>();
    for (String name : names()) {
      contents.put(name, HexFormat.of().formatHex(bytes(name)));
    }
    return contents;
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (CHANGES.contains(name)) {
      record(name + (arguments == null ? "" : " " + String.join(" ", texts(arguments))));
    }
    return switch (name) {
      case "byteAddressable" -> false;
      case "readOnly" -> readOnly;
      case "name" -> "file";
      case "location" -> "/recorded";
      case "close", "abandon" -> null;
      case "create", "open", "openLog" -> file((MediumFile) invoke(method, under, arguments));
      default -> invoke(method, under, arguments);
    };
  }

  private MediumFile file(MediumFile file) {
    open.incrementAndGet();
    boolean[] closed = {false};
    return proxy(
        MediumFile.class,
        (method, arguments) -> {
          String name = method.getName();
          if (FILE_CHANGES.contains(name)) {
            record(described(name, file.name(), arguments));
          }
          if (name.equals("close") && !closed[0]) {
            closed[0] = true;
            open.decrementAndGet();
          }
          return invoke(method, file, arguments);
        });
  }

  private static String described(String change, String file, Object[] arguments) {
    if (arguments == null) {
      return change + " " + file;
    }
    return arguments[0] instanceof ByteBuffer bytes
        ? change + " " + file + " " + arguments[1] + " " + bytes.remaining()
        : change + " " + file + " " + arguments[0];
  }

  private void record(String change) {
    changes.add(change);
    if (!failing.isEmpty() && change.startsWith(failing)) {
      throw new MediumException("made up: " + change, null);
    }
  }

  private static List<String> texts(Object[] arguments) {
    return Arrays.stream(arguments).map(String::valueOf).toList();
  }

  private interface Call {
    Object run(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.run(method, arguments)));
  }

  private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
