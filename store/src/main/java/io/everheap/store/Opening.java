package io.everheap.store;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.ForeignHeapException;
import io.everheap.error.HeapMissingException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.SubdirectoryMedium;
import io.everheap.memory.crypt.SealedMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Opens a store: its descriptor, its shards, and what a crash left. For one thread. */
final class Opening {
  /** The name of a root of each shard that holds the id of the store and the shard's number. */
  static final String IDENTITY = "everheap.store";

  private final ShardedStoreBuilder builder;
  private final List<AutoCloseable> opened = new ArrayList<>();

  Opening(ShardedStoreBuilder builder) {
    this.builder = builder;
  }

  ShardedStore open() {
    return wholly(this::openAll);
  }

  /** Opens further shards of an open store, or creates them. */
  List<Shard> more(Medium root, UUID id, int from, int to) {
    return wholly(
        () -> {
          List<Shard> more = new ArrayList<>();
          for (int i = from; i < to; i++) {
            more.add(shard(root, id, i, true));
          }
          return more;
        });
  }

  /** Leaves nothing open if it fails. */
  private <T> T wholly(Supplier<T> action) {
    try {
      return action.get();
    } catch (RuntimeException | Error e) {
      for (AutoCloseable closeable : opened.reversed()) {
        try (closeable) {
          // closed in any case
        } catch (Exception suppressed) {
          e.addSuppressed(suppressed);
        }
      }
      throw e;
    }
  }

  private ShardedStore openAll() {
    Medium medium = root();
    opened.add(medium);
    Descriptor descriptor = descriptor(medium);
    int count = Math.max(descriptor.shards(), descriptor.target());
    List<Shard> shards = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean mayCreate = descriptor.creating() || i >= descriptor.shards();
      shards.add(shard(medium, descriptor.id(), i, mayCreate));
    }
    if (descriptor.creating() && !builder.readOnly) {
      descriptor = new Descriptor(descriptor.id(), descriptor.shards(), descriptor.target(), false);
      descriptor.write(medium);
    }
    ShardedStore store = new ShardedStore(builder, medium, descriptor, shards);
    if (!builder.readOnly) {
      store.batches().recover();
      store.resharding().resume(MediumSetting.threads(builder));
    }
    return store;
  }

  private Medium root() {
    Medium given = MediumSetting.medium(builder);
    boolean create = builder.create && !builder.readOnly;
    Medium stored = given != null ? given : Media.open(builder.directory, builder.readOnly, create);
    if (!create && !stored.exists(Descriptor.FILE)) {
      stored.close(); // first: else keys are made where there is no store
      throw missing(stored);
    }
    return SealedMedium.with(stored, builder.keys);
  }

  private Medium medium(int index, boolean mayCreate) {
    Medium given = MediumSetting.medium(builder);
    return given != null
        ? new SubdirectoryMedium(given, name(index))
        : Media.open(
            builder.directory.resolve(name(index)),
            builder.readOnly,
            mayCreate && !builder.readOnly);
  }

  private Descriptor descriptor(Medium medium) {
    if (medium.exists(Descriptor.FILE)) {
      return Descriptor.read(medium);
    }
    if (builder.readOnly || !builder.create) {
      throw missing(medium);
    }
    if (medium.exists("heap")
        || medium.exists(name(0) + "/heap")
        || !medium.list("").stream().allMatch(Opening::isOurs)) {
      throw new ForeignHeapException(
          medium.location(), "a store", "it has other files; choose an empty directory");
    }
    Descriptor created = new Descriptor(UUID.randomUUID(), builder.shards, builder.shards, true);
    created.write(medium);
    return created;
  }

  private static HeapMissingException missing(Medium medium) {
    return new HeapMissingException("there is no store in " + medium.location(), null);
  }

  /** Files that a new directory can have: those of its lock, and of an interrupted creation. */
  private static boolean isOurs(String file) {
    return file.equals("lock") || file.equals("owner") || file.startsWith(Descriptor.FILE);
  }

  /** Opens a shard, or creates it. */
  private Shard shard(Medium root, UUID id, int index, boolean mayCreate) {
    Path path = builder.directory.resolve(name(index));
    Medium medium = medium(index, mayCreate);
    opened.add(medium);
    HeapBuilder heaps = Heap.builder(path);
    builder.heaps.accept(heaps);
    KeyProvider keys = StoreKeys.of(root, name(index));
    if (keys != null) {
      heaps.encrypt(keys);
    }
    MediumSetting.medium(heaps, medium).durability(builder.durability);
    if (builder.readOnly) {
      heaps.readOnly();
    }
    if (!mayCreate) {
      heaps.mustExist();
    }
    Heap heap = heaps.open();
    opened.add(heap);
    identify(heap, medium, new Identity(id, index), mayCreate && !builder.readOnly);
    return new Shard(index, heap, medium, builder.queue);
  }

  private record Identity(UUID id, int index) {
    String text() {
      return id + "#" + index;
    }
  }

  private static void identify(Heap heap, Medium medium, Identity wanted, boolean mayCreate) {
    if (!heap.contains(IDENTITY)) {
      if (!mayCreate || !heap.names().isEmpty()) {
        throw new ForeignHeapException(
            medium.location(), "a shard of this store", "it is another heap; move it away");
      }
      heap.transact(
          io.everheap.Durability.SYNC,
          () -> {
            var _ = identity(heap).put("shard", wanted.text());
          });
      return;
    }
    String found = identity(heap).get("shard");
    if (found == null) {
      throw new CorruptHeapException(medium.location() + " does not say which shard it is");
    }
    if (!found.equals(wanted.text())) {
      throw new ForeignHeapException(
          medium.location(),
          "the shard " + wanted.text(),
          "it is " + found + "; directories were mixed up");
    }
  }

  private static DurableMap<String, String> identity(Heap heap) {
    return heap.map(IDENTITY, String.class, String.class);
  }

  /** The directory of a shard. */
  private String name(int index) {
    String name = ShardNames.of(index);
    return MediumSetting.medium(builder) != null
        ? name
        : ShardNames.stored(builder.directory, name);
  }

  /** The directories of the shards that can hold keys. */
  static List<Path> directories(Path directory) {
    try (Medium medium = SealedMedium.with(FileMedium.watch(directory), null)) {
      if (!medium.exists(Descriptor.FILE)) {
        throw new HeapMissingException("there is no store in " + medium.location(), null);
      }
      Descriptor descriptor = Descriptor.read(medium);
      return IntStream.range(0, Math.max(descriptor.shards(), descriptor.target()))
          .mapToObj(i -> directory.resolve(ShardNames.stored(directory, ShardNames.of(i))))
          .toList();
    }
  }
}
