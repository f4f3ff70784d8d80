package io.everheap.salvage;

import java.util.List;

/**
 * What a salvage saved of a heap's image.
 *
 * @param roots of the new heap, with what is lost of them
 * @param notes what is wrong with the heap as a whole
 * @param unassigned nodes and objects that are lost because their owner is unknown
 */
record SavedRoots(List<SalvageReport.Root> roots, List<String> notes, long unassigned) {}
