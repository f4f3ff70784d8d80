package io.everheap.structure.common;

import io.everheap.durable.type.ObjectImage;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.ObjectLayouts;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.error.UnsupportedTypeException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks objects one by one: that the stored type fits the block, that values of fields are there
 * and decode, and what the fields lead to. The caller keeps writers out, and checks each object
 * once. Nothing in the heap is trusted.
 */
public final class ObjectCheck {
  private static final String KIND = "object";
  private static final String VALUE = "value";

  private final StructureContext heap;
  private final ObjectLayouts layouts;
  private final StructureFindings findings;
  private final BlockCheck blocks;

  /**
   * A check.
   *
   * @param layouts of the heap, as they were found
   * @param findings takes all that is found
   */
  public ObjectCheck(StructureContext heap, ObjectLayouts layouts, StructureFindings findings) {
    this.heap = heap;
    this.layouts = layouts;
    this.findings = findings;
    this.blocks = new BlockCheck(heap, findings);
  }

  /** Checks an object that was not checked before and whose block is one of objects. */
  public void check(long reference) {
    long at = Reference.address(reference);
    try {
      ObjectImage image = ObjectImage.of(heap, layouts, reference);
      if (!findings.owned(reference)) {
        return;
      }
      if (image.body() != Reference.NULL && !findings.owned(image.body())) {
        return;
      }
      findings.counted();
      for (int i = 0; i < image.type().fields().size(); i++) {
        check(image, i);
      }
      findings.checked(reference);
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem(KIND, at, null, String.valueOf(e.getMessage()));
    }
  }

  private void check(ObjectImage image, int field) {
    TypeDescriptor.Field descriptor = image.type().fields().get(field);
    long at = image.address(field);
    long bits = image.bits(field);
    boolean cell = descriptor.type().storage() == Storage.CELL;
    if (cell
        && bits != Reference.NULL
        && !blocks.own(at, "the value of " + name(image, field), bits, ObjectLayout.CELL, 0)) {
      return;
    }
    String problem = null;
    try {
      if (descriptor.type().storage() == Storage.WORD && image.flag(field) > 1) {
        problem = "its flag is " + image.flag(field);
      } else {
        ObjectReferences.follow(image.value(field), findings, at, name(image, field));
      }
    } catch (UnsupportedTypeException e) {
      findings.skipped(
          String.format(
              Locale.ROOT,
              "whether %s decodes: only its program knows the type %s",
              name(image, field),
              descriptor.type().detail()));
    } catch (EverheapException e) {
      BlockCheck.requireOpen(e);
      if (ValueCheck.isSound(e)) {
        String message = ValueCheck.undecodable(descriptor.type().detail(), e);
        findings.undecodable(at, name(image, field), message);
      } else {
        problem = e.getMessage();
      }
    }
    tell(at, name(image, field), problem);
  }

  private void tell(long at, String name, @Nullable String problem) {
    if (problem != null) {
      findings.problem(VALUE, at, name, "the field does not decode: " + problem);
    }
  }

  private static String name(ObjectImage image, int field) {
    return image.type().name() + '.' + image.type().fields().get(field).name();
  }

  /**
   * Whether a reference leads to an object.
   *
   * @return null if it does; else what is wrong, or that the object was freed
   */
  public static @Nullable String missing(StructureContext heap, long reference) {
    try {
      int type = heap.allocator().type(reference);
      return ObjectImage.isObject(type) ? null : "the block there has type " + type;
    } catch (GoneException e) {
      return e.getMessage();
    }
  }
}
