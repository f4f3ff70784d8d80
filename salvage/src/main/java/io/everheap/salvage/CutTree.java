package io.everheap.salvage;

import io.everheap.structure.sorted.OrphanLeaves;

/**
 * A sorted map or set that is damaged somewhere.
 *
 * @param root that it belongs to
 * @param target its copy
 * @param leaves recognises its leaves and entries
 */
record CutTree(SalvagedRoot root, SalvagedStructures.Target target, OrphanLeaves leaves) {}
