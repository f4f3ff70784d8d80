package io.everheap.salvage;

import io.everheap.structure.map.OrphanNodes;

/**
 * A map or set with chains that are cut.
 *
 * @param root that it belongs to
 * @param target its copy
 * @param nodes recognises its nodes
 */
record CutTable(SalvagedRoot root, SalvagedStructures.Target target, OrphanNodes nodes) {}
