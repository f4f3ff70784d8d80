package io.everheap.salvage;

import io.everheap.structure.sorted.OrphanLeaves;

/**
 * A sorted map or set in which something is wrong.
 *
 * @param root that it belongs to
 * @param target its copy
 * @param leaves recognises its leaves and entries
 */
record CutTree(SalvagedRoot root, SalvagedStructures.Target target, OrphanLeaves leaves) {}
