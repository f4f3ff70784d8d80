package io.everheap;

import static java.util.concurrent.Executors.callable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.codec.Codecs;
import io.everheap.codec.ObjectReference;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.KeyOrder;
import io.everheap.durable.Durable;
import io.everheap.error.EverheapException;
import io.everheap.report.CollectProgress;
import io.everheap.report.VerifyProgress;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Every public method of a heap and of a map, by its signature, called so that it has something to
 * do in a heap with the entries of {@link TestHeaps}.
 */
final class Operations {
  /** Methods of a heap that need no open heap. */
  static final Set<String> HARMLESS =
      Set.of(
          "transaction()",
          "blocks()",
          "durability()",
          "inTransaction()",
          "isOpen()",
          "writeRefusal()",
          "close()",
          "toString()");

  /** Methods of a map that need no open heap. */
  static final Set<String> HARMLESS_OF_MAP = Set.of("id()", "sameAs(Structure)");

  /** A durable interface that no heap has objects of. */
  @Durable
  interface Thing {
    int number();

    void number(int value);
  }

  private static final KeyOrder<Integer> REVERSE =
      KeyOrder.of("reverse", Comparator.<Integer>reverseOrder());

  private Operations() {}

  static Map<String, Callable<?>> reads(DurableMap<Integer, String> m) {
    Map<String, Callable<?>> all = new LinkedHashMap<>();
    all.put("get(Object)", () -> m.get(1));
    all.put("getOrDefault(Object,Object)", () -> m.getOrDefault(1, "none"));
    all.put("containsKey(Object)", () -> m.containsKey(1));
    all.put("containsValue(Object)", () -> m.containsValue("none"));
    all.put("size()", m::size);
    all.put("sizeLong()", m::sizeLong);
    all.put("undecodable()", () -> m.undecodable().hasNext());
    all.put("isEmpty()", m::isEmpty);
    all.put("forEach(BiConsumer)", callable(() -> m.forEach((k, v) -> {})));
    all.put("keySet()", () -> m.keySet().iterator().next());
    all.put("values()", () -> m.values().iterator().next());
    all.put("entrySet()", () -> m.entrySet().iterator().next());
    all.put("equals(Object)", () -> m.equals(new HashMap<>(Map.of(1, "none"))));
    all.put("hashCode()", m::hashCode);
    all.put("toString()", m::toString);
    all.put("keySet().contains", () -> m.keySet().contains(1));
    all.put("keySet().size", () -> m.keySet().size());
    all.put("keySet().toArray", () -> m.keySet().toArray());
    all.put("values().contains", () -> m.values().contains("none"));
    all.put("values().stream", () -> m.values().stream().count());
    all.put("entrySet().contains", () -> m.entrySet().contains(Map.entry(1, "none")));
    all.put("entrySet().stream", () -> m.entrySet().parallelStream().toList());
    all.put("keySet().forEach", callable(() -> m.keySet().forEach(k -> {})));
    return all;
  }

  static Map<String, Callable<?>> writes(DurableMap<Integer, String> m) {
    Map<String, Callable<?>> all = new LinkedHashMap<>();
    all.put("put(Object,Object)", () -> m.put(1, "x"));
    all.put("set(Object,Object)", callable(() -> m.set(1, "x")));
    all.put("delete(Object)", () -> m.delete(1));
    all.put("reserve(long)", callable(() -> m.reserve(1000)));
    all.put("putIfAbsent(Object,Object)", () -> m.putIfAbsent(-1, "x"));
    all.put("remove(Object)", () -> m.remove(1));
    all.put("remove(Object,Object)", () -> m.remove(1, TestHeaps.value(1)));
    all.put("replace(Object,Object)", () -> m.replace(1, "x"));
    all.put("replace(Object,Object,Object)", () -> m.replace(1, TestHeaps.value(1), "x"));
    all.put("computeIfAbsent(Object,Function)", () -> m.computeIfAbsent(-1, k -> "x"));
    all.put("computeIfPresent(Object,BiFunction)", () -> m.computeIfPresent(1, (k, v) -> "x"));
    all.put("compute(Object,BiFunction)", () -> m.compute(1, (k, v) -> "x"));
    all.put("merge(Object,Object,BiFunction)", () -> m.merge(1, "x", String::concat));
    all.put("putAll(Map)", callable(() -> m.putAll(Map.of(1, "x", -1, "x"))));
    all.put("replaceAll(BiFunction)", callable(() -> m.replaceAll((k, v) -> "x")));
    all.put("clear()", callable(m::clear));
    all.put("keySet().remove", () -> m.keySet().remove(1));
    all.put("keySet().removeAll", () -> m.keySet().removeAll(List.of(1, 2)));
    all.put("keySet().retainAll", () -> m.keySet().retainAll(List.of(1, 2)));
    all.put("keySet().clear", callable(() -> m.keySet().clear()));
    all.put("keySet().iterator().remove", () -> removeFirst(m.keySet().iterator()));
    all.put("values().remove", () -> m.values().remove(TestHeaps.value(1)));
    all.put("values().removeIf", () -> m.values().removeIf(v -> true));
    all.put("values().clear", callable(() -> m.values().clear()));
    all.put("entrySet().remove", () -> m.entrySet().remove(Map.entry(1, TestHeaps.value(1))));
    all.put("entrySet().removeIf", () -> m.entrySet().removeIf(e -> true));
    all.put("entry.setValue", () -> m.entrySet().iterator().next().setValue("x"));
    return all;
  }

  private static <T> T removeFirst(Iterator<T> iterator) {
    T first = iterator.next();
    iterator.remove();
    return first;
  }

  static Map<String, Callable<?>> reads(Heap heap, DurableMap<Integer, String> m) {
    Map<String, Callable<?>> all = new LinkedHashMap<>();
    all.put("names()", heap::names);
    all.put("roots()", heap::roots);
    all.put("types()", heap::types);
    all.put("valueTypes()", heap::valueTypes);
    all.put("fields(ObjectReference)", () -> heap.fields(new ObjectReference("Thing", 1 << 20)));
    all.put("compare(Class)", () -> heap.compare(Thing.class));
    all.put("entries(String)", () -> heap.entries(TestHeaps.NAME).iterator().next());
    all.put("undecodable(String)", () -> heap.undecodable(TestHeaps.NAME).hasNext());
    all.put("contains(String)", () -> heap.contains(TestHeaps.NAME));
    all.put("map(String,Class,Class)", () -> TestHeaps.numbers(heap));
    all.put("map(String,Codec,Codec)", () -> heap.map(TestHeaps.NAME, Codecs.INT, Codecs.STRING));
    all.put("read(ThrowingSupplier)", () -> heap.read(() -> m.get(1)));
    all.put(
        "root(String,Shape)",
        () -> heap.root(TestHeaps.NAME, DurableMap.of(Codecs.INT, Codecs.STRING)));
    all.put("regions()", heap::regions);
    all.put("use(Class[])", callable(() -> heap.use(Thing.class)));
    all.put("sync()", callable(heap::sync));
    all.put("verify()", heap::verify);
    all.put("verify(VerifyProgress)", () -> heap.verify(VerifyProgress.NONE));
    all.put("footprint(String)", () -> heap.footprint(TestHeaps.NAME));
    all.put("footprint(Object)", () -> heap.footprint(m));
    all.put("stats()", heap::stats);
    return all;
  }

  static Map<String, Callable<?>> writes(Heap heap, DurableMap<Integer, String> m) {
    Map<String, Callable<?>> all = new LinkedHashMap<>();
    all.put(
        "sortedMap(String,Class,Class)",
        () -> heap.sortedMap("sorted", Integer.class, String.class).put(1, "x"));
    all.put(
        "sortedMap(String,Class,Class,KeyOrder)",
        () -> heap.sortedMap("reverse", Integer.class, String.class, REVERSE).put(1, "x"));
    all.put("sortedSet(String,Class)", () -> heap.sortedSet("sorted set", Integer.class).add(1));
    all.put(
        "sortedSet(String,Class,KeyOrder)",
        () -> heap.sortedSet("reverse set", Integer.class, REVERSE).add(1));
    all.put("block(String,long)", () -> heap.block("block", 8));
    all.put("region(String,long)", () -> heap.region("region", 8));
    all.put("removeRegion(String)", () -> heap.removeRegion("region"));
    all.put("set(String,Class)", () -> heap.set("set", Integer.class));
    all.put("set(String,Codec)", () -> heap.set("set", Codecs.INT));
    all.put("create(Shape)", () -> heap.transact(() -> heap.create(DurableSet.of(Codecs.INT))));
    all.put("free(Structure)", callable(() -> heap.free(m)));
    all.put("freeDeep(Structure)", callable(() -> heap.freeDeep(m)));
    all.put("create(Class)", () -> heap.create(Thing.class));
    all.put("create(Class,Consumer)", () -> heap.create(Thing.class, thing -> thing.number(1)));
    all.put("object(String,Class)", () -> heap.object("thing", Thing.class));
    all.put(
        "object(String,Class,Consumer)",
        () -> heap.object("thing", Thing.class, thing -> thing.number(1)));
    all.put("free(Object)", callable(() -> heap.free((Object) m)));
    all.put("removeDeep(String)", () -> heap.removeDeep(TestHeaps.NAME));
    all.put("list(String,Class)", () -> heap.list("list", Long.class));
    all.put("list(String,Codec)", () -> heap.list("list", Codecs.LONG));
    all.put("deque(String,Class)", () -> heap.deque("deque", Long.class));
    all.put("deque(String,Codec)", () -> heap.deque("deque", Codecs.LONG));
    all.put("priorityQueue(String,Class)", () -> heap.priorityQueue("queue", Long.class));
    all.put("workQueue(String,Class)", () -> heap.workQueue("work", Long.class));
    all.put("workQueue(String,Codec)", () -> heap.workQueue("work", Codecs.LONG));
    all.put("rename(String,String)", callable(() -> heap.rename(TestHeaps.NAME, "other")));
    all.put("remove(String)", () -> heap.remove(TestHeaps.NAME));
    all.put("transact(ThrowingRunnable)", callable(() -> heap.transact(() -> {})));
    all.put("transact(ThrowingSupplier)", () -> heap.transact(() -> m.get(1)));
    all.put(
        "transact(Durability,ThrowingRunnable)",
        callable(() -> heap.transact(Durability.SYNC, () -> {})));
    all.put(
        "transact(Durability,ThrowingSupplier)",
        () -> heap.transact(Durability.SYNC, () -> m.put(1, "x")));
    all.put("transactAsync(ThrowingSupplier)", () -> heap.transactAsync(() -> m.put(1, "x")));
    all.put("checkpoint()", callable(heap::checkpoint));
    all.put("shrink()", heap::shrink);
    all.put("collect()", heap::collect);
    all.put("collect(CollectProgress)", () -> heap.collect(CollectProgress.NONE));
    return all;
  }

  /** Everything that a heap that is not usable must refuse. */
  static Map<String, Callable<?>> all(Heap heap, DurableMap<Integer, String> m) {
    Map<String, Callable<?>> all = new LinkedHashMap<>();
    reads(heap, m).forEach((name, call) -> all.put("Heap." + name, call));
    writes(heap, m).forEach((name, call) -> all.put("Heap." + name, call));
    reads(m).forEach((name, call) -> all.put("DurableMap." + name, call));
    writes(m).forEach((name, call) -> all.put("DurableMap." + name, call));
    return all;
  }

  /** Signatures of the public methods that a class has for its users. */
  static Set<String> signatures(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(m -> !Modifier.isStatic(m.getModifiers()) && !m.isSynthetic())
        .filter(m -> m.getDeclaringClass() != Object.class)
        .map(Operations::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method m) {
    return Arrays.stream(m.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", m.getName() + "(", ")"));
  }

  /** Each call throws this exception with this code, and says all this. */
  static void assertAllThrow(
      Map<String, Callable<?>> calls,
      Class<? extends EverheapException> type,
      String code,
      String... said) {
    calls.forEach(
        (name, call) ->
            assertThatExceptionOfType(type)
                .as(name)
                .isThrownBy(call::call)
                .returns(code, EverheapException::code)
                .satisfies(e -> assertThat(List.of(said)).allMatch(e.getMessage()::contains)));
  }
}
