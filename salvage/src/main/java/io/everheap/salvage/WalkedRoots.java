package io.everheap.salvage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the walks along sound references copied, and what they could not follow.
 *
 * @param roots all, in the order in which they were met
 * @param unnamed those of them that no root leads to, by the references of their structures
 * @param named structures that have a name in the new heap
 * @param tables maps and sets with cut chains
 * @param trees sorted maps and sets that are damaged
 * @param headerLost whether a header is lost, so that its entries may be anywhere
 * @param unassigned objects that could not be given to a root; they are lost
 */
record WalkedRoots(
    List<SalvagedRoot> roots,
    Map<Long, SalvagedRoot> unnamed,
    Set<Long> named,
    List<CutTable> tables,
    List<CutTree> trees,
    boolean headerLost,
    long unassigned) {
  WalkedRoots {
    roots = List.copyOf(roots);
    unnamed = Collections.unmodifiableMap(new LinkedHashMap<>(unnamed));
    named = Set.copyOf(named);
    tables = List.copyOf(tables);
    trees = List.copyOf(trees);
  }
}
