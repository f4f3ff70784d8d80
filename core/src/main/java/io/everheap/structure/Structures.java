package io.everheap.structure;

import io.everheap.engine.HeapContext;
import io.everheap.structure.array.ArrayKind;
import io.everheap.structure.array.ObjectArrayKind;
import io.everheap.structure.block.BlockKind;
import io.everheap.structure.bytes.CellsFreer;
import io.everheap.structure.bytes.ChunkedKind;
import io.everheap.structure.bytes.ChunksFreer;
import io.everheap.structure.cell.CellKind;
import io.everheap.structure.cell.ReferenceKind;
import io.everheap.structure.common.Freer;
import io.everheap.structure.common.FreesTask;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.StructureKinds;
import io.everheap.structure.deque.DequeFreer;
import io.everheap.structure.deque.DequeKind;
import io.everheap.structure.list.ListKind;
import io.everheap.structure.list.TreeFreer;
import io.everheap.structure.map.HashKind;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.object.ObjectKind;
import io.everheap.structure.queue.PriorityQueueKind;
import io.everheap.structure.queue.WorkQueueKind;
import io.everheap.structure.sorted.SortedFreer;
import io.everheap.structure.sorted.SortedKind;
import java.util.List;

/** All structures that there are: the one place that names them. */
public final class Structures {
  /** The kinds of structures. */
  public static final StructureKinds KINDS =
      new StructureKinds(
          List.of(HashKind.MAP, HashKind.SET), () -> Others.KINDS, ObjectKind.INSTANCE);

  /** Kinds whose classes a heap without such structures does not load. */
  private static final class Others {
    static final List<StructureKind> KINDS =
        List.of(
            SortedKind.MAP,
            SortedKind.SET,
            BlockKind.INSTANCE,
            ArrayKind.INSTANCE,
            ChunkedKind.TEXT,
            ChunkedKind.BYTES,
            CellKind.LONG,
            CellKind.COUNTER,
            ReferenceKind.INSTANCE,
            ObjectArrayKind.INSTANCE,
            ListKind.INSTANCE,
            DequeKind.INSTANCE,
            PriorityQueueKind.INSTANCE,
            WorkQueueKind.INSTANCE);
  }

  private static final class Freers {
    static final List<Freer> ALL =
        List.of(
            new ChunksFreer(),
            new CellsFreer(),
            TreeFreer.INSTANCE,
            DequeFreer.INSTANCE,
            SortedFreer.INSTANCE);
  }

  private Structures() {}

  /** What frees large structures in the background. */
  public static List<Freer> freers() {
    return Freers.ALL;
  }

  /** A heap with all of them. */
  public static StructureContext of(HeapContext heap) {
    return new StructureContext(
        heap, KINDS, NameTables::new, context -> new FreesTask(context, freers()).run());
  }
}
