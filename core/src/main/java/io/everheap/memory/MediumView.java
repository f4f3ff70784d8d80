package io.everheap.memory;

/** Files of another medium under other names. Closing it does not close that medium. */
abstract class MediumView implements Medium {
  /** The medium that has the files. */
  final Medium medium;

  MediumView(Medium medium) {
    this.medium = medium;
  }

  /** The name that a file has on the medium. */
  abstract String in(String name);

  @Override
  public final String name() {
    return medium.name();
  }

  @Override
  public String location() {
    return medium.location();
  }

  @Override
  public final boolean byteAddressable() {
    return medium.byteAddressable();
  }

  @Override
  public final boolean readOnly() {
    return medium.readOnly();
  }

  @Override
  public final String incarnation() {
    return medium.incarnation();
  }

  @Override
  public final boolean lacksRoom(long bytes) {
    return medium.lacksRoom(bytes);
  }

  @Override
  public final boolean copiesOnWrite() {
    return medium.copiesOnWrite();
  }

  @Override
  public final boolean exists(String name) {
    return medium.exists(in(name));
  }

  @Override
  public final MediumFile create(String name) {
    return medium.create(in(name));
  }

  @Override
  public final MediumFile open(String name) {
    return medium.open(in(name));
  }

  @Override
  public final MediumFile openLog(String name, DurableWrite how) {
    return medium.openLog(in(name), how);
  }

  @Override
  public final void rename(String from, String to) {
    medium.rename(in(from), in(to));
  }

  @Override
  public final void delete(String name) {
    medium.delete(in(name));
  }

  @Override
  public final DurableWrite probeDurableWrite() {
    return medium.probeDurableWrite();
  }

  /** The medium below stays open: others use it. */
  @Override
  public final void close() {}
}
