package io.everheap.gc;

import io.everheap.codec.Codec;
import io.everheap.codec.reference.References;
import io.everheap.durable.type.FieldType;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.SlotShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of references in the objects of one version of a type. Offsets are in bytes from the
 * object's base. Immutable.
 */
final class ObjectScan {
  /** Size of an object, in bytes. */
  final int payload;

  /** Offsets of words that are references, or 0. */
  final int[] references;

  /** Offsets of words that are references if their flag is set. */
  final int[] words;

  /** Offsets of the flags. */
  final int[] flags;

  /** Offsets of references to cells whose values have references in them. */
  final int[] cells;

  /** The codecs of these cells. */
  final List<Codec<Object>> codecs;

  /**
   * The shape of these objects' blocks, for {@link MarkBatch}; null if they have references in
   * words with flags or in cells, which a batch does not follow.
   */
  final @Nullable SlotShape shape;

  /**
   * Creates the scan of a layout.
   *
   * @param layout of the objects
   * @param marking codecs for the fields in words and cells
   * @param shape of the blocks of objects of this layout; null if blocks of their size have none
   */
  ObjectScan(ObjectLayout layout, MarkCodecs marking, @Nullable SlotShape shape) {
    TypeDescriptor type = layout.type();
    List<Integer> ofReferences = new ArrayList<>();
    List<Integer> ofWords = new ArrayList<>();
    List<Integer> ofFlags = new ArrayList<>();
    List<Integer> ofCells = new ArrayList<>();
    List<Codec<Object>> ofCodecs = new ArrayList<>();
    for (int i = 0; i < type.fields().size(); i++) {
      FieldType field = type.fields().get(i).type();
      Storage storage = field.storage();
      if (storage == Storage.REF) {
        ofReferences.add(layout.offset(i));
      } else if (storage == Storage.WORD && References.inType(field.detail())) {
        ofWords.add(layout.offset(i));
        ofFlags.add(layout.flag(i));
      } else if (storage == Storage.CELL && References.inType(field.detail())) {
        ofCells.add(layout.offset(i));
        ofCodecs.add(marking.of(field.detail()));
      }
    }
    this.payload = layout.payload();
    this.references = array(ofReferences);
    this.words = array(ofWords);
    this.flags = array(ofFlags);
    this.cells = array(ofCells);
    this.codecs = List.copyOf(ofCodecs);
    this.shape = ofWords.isEmpty() && ofCells.isEmpty() ? shape : null;
  }

  private static int[] array(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}
