package io.everheap.store;

import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Verifies each heap of a store, and that each key is in the shard where it belongs, while the
 * store is used. Keys may move meanwhile, to shards that are new, and back; so a key that seems to
 * be in the wrong shard is looked at again in the shard's turn, in which none moves.
 */
final class StoreVerification {
  private final ShardedStore store;
  private final VerifyProgress progress;
  private final List<VerifyReport> reports = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private long entries;

  StoreVerification(ShardedStore store, VerifyProgress progress) {
    this.store = store;
    this.progress = progress;
  }

  StoreReport run() {
    store.placement(); // throws if the store is closed
    for (int i = 0; i < store.shards().size(); i++) { // more may be opened meanwhile
      Shard shard = store.shard(i);
      reports.add(shard.heap.verify(progress));
      for (Map.Entry<String, Catalog.Types> map : store.catalog().all().entrySet()) {
        progress.update("keys of " + ShardNames.of(i), (double) i / store.shards().size());
        verify(shard, map.getKey(), map.getValue().sorted());
      }
    }
    return new StoreReport(reports, problems, entries);
  }

  private void verify(Shard shard, String map, boolean sorted) {
    var part = Catalog.part(shard, map, sorted, ValueCodec.RAW);
    for (byte[] key : part.keySet()) {
      if (!belongs(shard, key)) {
        boolean wrong =
            Shard.inTurns(List.of(shard), () -> !belongs(shard, key) && part.containsKey(key));
        if (wrong) {
          problems.add(
              String.format(
                  Locale.ROOT,
                  "map %s: the key %s is in shard %d and belongs to %d",
                  map,
                  Arrays.toString(key),
                  shard.index,
                  target(key)));
        }
      }
      entries++;
    }
  }

  private int target(byte[] key) {
    return store.placement().target(Placement.slot(key));
  }

  private boolean belongs(Shard shard, byte[] key) {
    Placement placement = store.placement();
    int slot = Placement.slot(key);
    return placement.target(slot) == shard.index || placement.source(slot) == shard.index;
  }
}
