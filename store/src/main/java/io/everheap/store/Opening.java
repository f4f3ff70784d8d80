package io.everheap.store;

import io.everheap.Heap;
import io.everheap.HeapAnchor;
import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.HeapConversion;
import io.everheap.error.ForeignException;
import io.everheap.error.MissingException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.SubdirectoryMedium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.BackupProgress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Opens a store: its descriptor, its shards, and what a crash left. For one thread. */
final class Opening {
  private final ShardedStoreBuilder builder;
  private final List<AutoCloseable> opened = new ArrayList<>();

  Opening(ShardedStoreBuilder builder) {
    this.builder = builder;
  }

  ShardedStore open() {
    return wholly(this::openAll);
  }

  /** Opens further shards of an open store, which are empty, or creates them. */
  List<Shard> more(Medium root, UUID id, int from, int to) {
    return wholly(
        () -> {
          List<Shard> more = new ArrayList<>();
          for (int i = from; i < to; i++) {
            Shard shard = shard(root, id, i, true, null);
            ShardIdentity.empty(shard); // no session says what an unused shard held
            more.add(shard);
          }
          return more;
        });
  }

  /** Brings a store that exists to the newest version; see {@link ShardedStoreBuilder#upgrade}. */
  boolean upgrade(BackupProgress progress) {
    open().close(); // recovers all shards after a crash, and refuses what cannot be opened
    opened.clear();
    try (Medium root = root()) {
      Descriptor found = Descriptor.read(root);
      boolean changed = false;
      for (int i = 0; i < found.used() && root.encrypted(); i++) {
        String name = name(i);
        KeyProvider key = Objects.requireNonNull(StoreKeys.of(root, name));
        try (Medium shard = medium(i, false)) {
          changed |=
              HeapConversion.upgrade(
                  shard,
                  key,
                  EngineOptions.defaults(),
                  (what, part) -> progress.update(name + ": " + what, part));
        }
      }
      if (found.session() == null) {
        new Descriptor(found.id(), found.shards(), found.target(), false, Session.NONE).write(root);
        changed = true;
      }
      return changed;
    }
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
    StoreAnchor anchor = builder.anchor;
    if (anchor != null) {
      anchor.requireStore(descriptor.id(), medium.location());
    }
    List<Shard> shards = new ArrayList<>();
    for (int i = 0; i < descriptor.used(); i++) {
      HeapAnchor least =
          anchor != null && i < anchor.shards().size() ? anchor.shards().get(i) : null;
      shards.add(shard(medium, descriptor.id(), i, descriptor.creating(), least));
    }
    if (!builder.acceptMixed) {
      Objects.requireNonNullElse(descriptor.session(), Session.NONE).require(shards);
    }
    ShardedStore store = new ShardedStore(builder, medium, descriptor, shards);
    if (!builder.readOnly) {
      store.renewIfPossible();
      store.batches().recover();
      store.resharding().resume(builder.internal.threads());
    }
    return store;
  }

  private Medium root() {
    Medium given = builder.internal.medium();
    boolean create = builder.create && !builder.readOnly && builder.anchor == null;
    Medium stored = given != null ? given : Media.open(builder.directory, builder.readOnly, create);
    if (!create && !stored.exists(Descriptor.FILE)) {
      stored.close(); // first: else keys are made where there is no store
      throw missing(stored);
    }
    return SealedMedium.with(stored, builder.keys);
  }

  private Medium medium(int index, boolean mayCreate) {
    Medium given = builder.internal.medium();
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
    if (builder.readOnly || !builder.create || builder.anchor != null) {
      throw missing(medium);
    }
    if (medium.exists("heap")
        || medium.exists(name(0) + "/heap")
        || !medium.list("").stream().allMatch(Opening::isOurs)) {
      throw ForeignException.of(
          medium.location(), "a store", "it has other files; choose an empty directory");
    }
    Descriptor created =
        new Descriptor(UUID.randomUUID(), builder.shards, builder.shards, true, Session.NONE);
    created.write(medium);
    return created;
  }

  private static MissingException missing(Medium medium) {
    return MissingException.heap("there is no store in " + medium.location(), null);
  }

  /** Files that a new directory can have: those of its lock, and of an interrupted creation. */
  private static boolean isOurs(String file) {
    return file.equals("lock") || file.equals("owner") || file.startsWith(Descriptor.FILE);
  }

  /** Opens a shard, or creates it. */
  private Shard shard(
      Medium root, UUID id, int index, boolean mayCreate, @Nullable HeapAnchor least) {
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
    if (least != null) {
      heaps.notOlderThan(least);
    }
    Heap heap = heaps.open();
    opened.add(heap);
    Shard shard = new Shard(index, heap, medium, builder.queue);
    ShardIdentity.require(shard, id, mayCreate && !builder.readOnly);
    return shard;
  }

  /** The directory of a shard. */
  private String name(int index) {
    String name = ShardNames.of(index);
    return builder.internal.medium() != null ? name : ShardNames.stored(builder.directory, name);
  }

  /** The directories of the shards that can hold keys. */
  static List<Path> directories(Path directory) {
    try (Medium medium = SealedMedium.with(FileMedium.watch(directory), null)) {
      if (!medium.exists(Descriptor.FILE)) {
        throw MissingException.heap("there is no store in " + medium.location(), null);
      }
      Descriptor descriptor = Descriptor.read(medium);
      return IntStream.range(0, descriptor.used())
          .mapToObj(i -> directory.resolve(ShardNames.stored(directory, ShardNames.of(i))))
          .toList();
    }
  }
}
