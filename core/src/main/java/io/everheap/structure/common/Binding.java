package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.SchemaMismatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out how a program uses structures whose stored types may be those of another version of it.
 * For use by the heap.
 */
public final class Binding {
  private static final int MOST_KNOWN = 1000;

  private final StructureContext heap;
  private final StructureContext.Types types;

  /** What was found out before. */
  private final Map<Question, CodecEvolution<?>> known = new ConcurrentHashMap<>();

  private record Question(StructureKind kind, int part, String stored, Codec<?> wanted) {}

  /** For the structures of a heap. */
  public Binding(StructureContext heap, StructureContext.Types types) {
    this.heap = heap;
    this.types = types;
  }

  /**
   * The definition for a structure.
   *
   * @param name what the program calls it
   * @param numbers of the types in its header
   * @throws SchemaMismatchException if it cannot be used with that definition
   */
  public <S> Definition<S> bind(
      String name, long reference, Definition<S> wanted, List<Long> numbers) {
    StructureKind kind = wanted.kind();
    List<Codec<?>> codecs = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < numbers.size(); i++) {
      long number = committed(reference, kind, i, numbers.get(i));
      String stored = types.name(number);
      boolean reads = wanted.reads(i, stored);
      if (kind.parts().get(i).codec() && (reads || kind.canChange())) {
        Codec<?> codec = wanted.codecs().get(codecs.size());
        codecs.add(reads ? codec : evolved(name, reference, kind, i, number, codec));
        changed |= !reads;
      } else if (!reads) {
        String part = kind.parts().get(i).name();
        throw new SchemaMismatchException(name, part, stored, wanted.types().get(i));
      }
    }
    return changed ? wanted.with(codecs) : wanted;
  }

  /**
   * The type to start from. A handle outlives a transaction that brings the header up to date and
   * is rolled back, so what only that transaction sees does not count.
   */
  private long committed(long reference, StructureKind kind, int part, long seen) {
    if (!kind.canChange() || !kind.parts().get(part).codec() || !heap.transactions().isWriter()) {
      return seen;
    }
    return heap.memory().getCommitted(Reference.address(reference) + kind.typeOffset(part));
  }

  private Codec<?> evolved(
      String name, long reference, StructureKind kind, int part, long number, Codec<?> wanted) {
    String stored = types.name(number);
    CodecEvolution<?> evolution = known(new Question(kind, part, stored, wanted));
    if (!evolution.differences().isEmpty()) {
      throw new SchemaMismatchException(
          name, kind.parts().get(part).name(), stored, wanted.name(), evolution.differences());
    }
    if (evolution.type().equals(stored)) {
      return evolution.codec();
    }
    long at = Reference.address(reference) + kind.typeOffset(part);
    return SwitchingCodec.of(
        evolution.codec(), new TypeSwitch(heap, reference, at, number, evolution.type())::run);
  }

  private CodecEvolution<?> known(Question question) {
    CodecEvolution<?> found = known.get(question);
    if (found == null) {
      if (known.size() > MOST_KNOWN) {
        known.clear(); // the program makes codecs again and again
      }
      found = evolution(question.kind, question.part, question.stored, question.wanted);
      known.put(question, found);
    }
    return found;
  }

  /** How a part of a structure is used that has a stored type. */
  public static CodecEvolution<?> evolution(
      StructureKind kind, int part, String stored, Codec<?> wanted) {
    return kind.isKey(part)
        ? CodecEvolution.ofKey(stored, wanted, kind.isOrdered())
        : CodecEvolution.ofValue(stored, wanted);
  }
}
