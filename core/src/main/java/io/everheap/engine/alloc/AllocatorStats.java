package io.everheap.engine.alloc;

import java.util.List;

/**
 * The usage of a home image, in blocks, chunks and bytes.
 *
 * @param capacity the bytes that can be used from address 0
 * @param sizeClasses the slots of each size class, the smallest first
 * @param pageBlocks blocks that are runs of pages
 * @param pageBytesUsed the bytes of their pages
 * @param pageChunks chunks with runs of pages
 * @param largeBlocks blocks of whole chunks
 * @param largeChunks the chunks of large blocks
 * @param freeChunks free chunks
 * @param metadataChunks chunks that hold chunk tables
 * @param retiredBlocks blocks that have used up their generations and are never used again
 */
public record AllocatorStats(
    long capacity,
    List<SizeClass> sizeClasses,
    long pageBlocks,
    long pageBytesUsed,
    long pageChunks,
    long largeBlocks,
    long largeChunks,
    long freeChunks,
    long metadataChunks,
    long retiredBlocks) {

  /**
   * The slots of one size class.
   *
   * @param blockBytes the size of a slot
   * @param blocks allocated blocks
   * @param chunks chunks with such slots
   */
  public record SizeClass(int blockBytes, long blocks, long chunks) {
    /**
     * Returns the bytes of the slots in use.
     *
     * @return bytes, headers and slack included
     */
    public long bytesUsed() {
      return blocks * blockBytes;
    }

    /**
     * Returns the bytes of the chunks.
     *
     * @return bytes
     */
    public long bytesReserved() {
      return chunks * ChunkLayout.CHUNK_BYTES;
    }
  }

  /** Copies the list. */
  public AllocatorStats {
    sizeClasses = List.copyOf(sizeClasses);
  }

  /**
   * Returns the number of allocated blocks.
   *
   * @return blocks of all sizes
   */
  public long blocks() {
    return sizeClasses.stream().mapToLong(SizeClass::blocks).sum() + pageBlocks + largeBlocks;
  }

  /**
   * Returns the bytes of all allocated blocks.
   *
   * @return bytes, headers and slack included
   */
  public long bytesUsed() {
    long slots = sizeClasses.stream().mapToLong(SizeClass::bytesUsed).sum();
    return slots + pageBytesUsed + largeChunks * ChunkLayout.CHUNK_BYTES;
  }

  /**
   * Returns the bytes of all chunks that are not free.
   *
   * @return bytes, metadata included
   */
  public long bytesReserved() {
    return capacity - freeChunks * ChunkLayout.CHUNK_BYTES;
  }
}
