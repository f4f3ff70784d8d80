package io.everheap.engine.home;

/**
 * A page that is not what a checkpoint wrote, or a place that should tell.
 *
 * @param file in which the place is, relative to the heap's directory
 * @param offset of the place in the file, in bytes
 * @param page of the home image whose content is in doubt
 * @param message what is wrong
 */
public record PageDamage(String file, long offset, long page, String message) {}
