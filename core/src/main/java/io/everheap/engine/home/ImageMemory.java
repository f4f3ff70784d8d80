package io.everheap.engine.home;

/** The memory for a home image: the page cache that is assumed, and private pages. Thread-safe. */
public interface ImageMemory {
  /**
   * Whether an image is assumed to be larger than memory, so that single pages are read on demand.
   *
   * @param capacity of the image in bytes
   */
  boolean isExceededBy(long capacity);

  /**
   * Memory that the pages of an image may take, in bytes.
   *
   * @param capacity of the image in bytes
   */
  long forPages(long capacity);

  /**
   * Memory of one image.
   *
   * @param bytes an image of more than twice this size is assumed to be larger than memory
   */
  static ImageMemory of(long bytes) {
    return new ImageMemory() {
      @Override
      public boolean isExceededBy(long capacity) {
        return capacity / 2 > bytes;
      }

      @Override
      public long forPages(long capacity) {
        return bytes;
      }
    };
  }
}
