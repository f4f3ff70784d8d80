package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import java.util.List;

/**
 * A codec of records: their components in order, each primitive one in its own width, each other
 * one as a byte 0 for {@code null}, or a byte 1 and the component.
 *
 * @param <R> the type that represents a record
 */
public abstract class RecordForm<R> extends CompositeCodec<R> {
  private final String type;

  /**
   * One component.
   *
   * @param label its names and its id
   * @param nullable whether it may be null: all but primitive ones may
   * @param codec of its values that are not null
   */
  public record Component(Label label, boolean nullable, Codec<Object> codec) {}

  /**
   * Creates a codec.
   *
   * @param type name of the class, with its type arguments
   */
  protected RecordForm(String type) {
    super("record " + type);
    this.type = type;
  }

  /** Name of the class, with its type arguments. */
  public final String type() {
    return type;
  }

  /** The components in their order. */
  public abstract List<Component> components();

  /** Names and ids of the components. */
  public final List<Label> labels() {
    return components().stream().map(Component::label).toList();
  }

  @Override
  public final boolean declared() {
    return true;
  }

  @Override
  public final List<Codec<?>> parts() {
    return components().stream().<Codec<?>>map(Component::codec).toList();
  }

  @Override
  protected final String label(int part) {
    Component component = components().get(part);
    return (component.nullable() ? "%? " : "% ") + component.label().text(part);
  }
}
