package io.everheap.durable;

import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Durable interfaces of all shapes. */
final class Zoo {
  private Zoo() {}

  enum Color {
    RED,
    GREEN,
    BLUE
  }

  record Money(long amount, String currency) {}

  /** Fields of all primitive types. */
  @Durable
  interface Primitives {
    boolean flag();

    void flag(boolean value);

    boolean other();

    void other(boolean value);

    byte tiny();

    void tiny(byte value);

    short small();

    void small(short value);

    char letter();

    void letter(char value);

    int number();

    void number(int value);

    float single();

    void single(float value);

    long large();

    void large(long value);

    double real();

    void real(double value);
  }

  /** Fields of types that have codecs. */
  @Durable
  interface Values {
    @Nullable String text();

    void text(@Nullable String value);

    @Nullable Color color();

    void color(@Nullable Color value);

    @Nullable Money money();

    void money(@Nullable Money value);

    @Nullable LocalDate day();

    void day(@Nullable LocalDate value);

    @Nullable Long boxed();

    void boxed(@Nullable Long value);

    @Nullable BigDecimal price();

    void price(@Nullable BigDecimal value);

    byte @Nullable [] bytes();

    void bytes(byte @Nullable [] value);

    @Nullable List<String> names();

    void names(@Nullable List<String> value);

    Optional<Money> maybe();

    void maybe(Optional<Money> value);

    String @Nullable [] array();

    void array(String @Nullable [] value);

    @Nullable List<Node> nodes();

    void nodes(@Nullable List<Node> value);
  }

  /** Leads to others of its kind. */
  @Durable
  interface Node {
    int id();

    void id(int value);

    @Nullable Node next();

    void next(@Nullable Node value);

    @Nullable Shape shape();

    void shape(@Nullable Shape value);
  }

  @Durable
  sealed interface Shape permits Circle, Square {
    String label();

    void label(String value);

    double area();
  }

  @Durable(name = "zoo.Circle")
  non-sealed interface Circle extends Shape {
    double radius();

    void radius(double value);

    @Override
    default double area() {
      return 3 * radius() * radius();
    }
  }

  @Durable
  non-sealed interface Square extends Shape {
    double side();

    void side(double value);

    @Override
    default double area() {
      return side() * side();
    }
  }

  @Durable
  interface Account {
    long balance();

    void balance(long value);

    @Nullable String owner();

    void owner(@Nullable String value);

    default void deposit(long amount) {
      balance(balance() + amount);
    }
  }

  /** Written as beans are. */
  @Durable
  interface Bean {
    int getCount();

    void setCount(int value);

    boolean isOpen();

    void setOpen(boolean value);

    @Nullable String getURL();

    void setURL(@Nullable String value);

    @Nullable String settings();

    Bean settings(@Nullable String value);
  }

  /** Leads to structures. */
  @Durable
  interface Shelf {
    DurableMap<String, Node> nodes();

    void nodes(DurableMap<String, Node> value);

    DurableMap<Integer, DurableSet<String>> tags();

    void tags(DurableMap<Integer, DurableSet<String>> value);
  }

  interface Box<T> {
    @Nullable T value();

    void value(@Nullable T value);
  }

  @Durable
  interface TextBox extends Box<String> {}

  @Durable
  interface ListBox extends Box<List<Integer>> {
    @Override
    @Nullable List<Integer> value();
  }

  @Durable
  interface Chain<T extends Node> extends Box<T> {}
}
