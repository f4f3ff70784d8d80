package io.everheap.memory;

import java.util.List;

/** A directory of a medium as a medium of its own, without a lock of its own. */
public final class SubdirectoryMedium implements Medium {
  private final Medium medium;
  private final String directory;

  /** Creates the view; closing it does not close the medium. */
  public SubdirectoryMedium(Medium medium, String directory) {
    this.medium = medium;
    this.directory = directory;
  }

  private String in(String name) {
    return directory + "/" + name;
  }

  @Override
  public String name() {
    return medium.name();
  }

  @Override
  public String location() {
    return medium.location() + "/" + directory;
  }

  @Override
  public boolean byteAddressable() {
    return medium.byteAddressable();
  }

  @Override
  public boolean readOnly() {
    return medium.readOnly();
  }

  @Override
  public String incarnation() {
    return medium.incarnation();
  }

  @Override
  public boolean exists(String name) {
    return medium.exists(in(name));
  }

  @Override
  public List<String> list(String name) {
    return medium.list(name.isEmpty() ? directory : in(name));
  }

  @Override
  public MediumFile create(String name) {
    return medium.create(in(name));
  }

  @Override
  public MediumFile open(String name) {
    return medium.open(in(name));
  }

  @Override
  public MediumFile openLog(String name, DurableWrite how) {
    return medium.openLog(in(name), how);
  }

  @Override
  public void rename(String from, String to) {
    medium.rename(in(from), in(to));
  }

  @Override
  public void delete(String name) {
    medium.delete(in(name));
  }

  @Override
  public void syncDirectory(String name) {
    medium.syncDirectory(name.isEmpty() ? directory : in(name));
    medium.syncDirectory(""); // the directory itself is durable
  }

  @Override
  public DurableWrite probeDurableWrite() {
    return medium.probeDurableWrite();
  }

  /** The medium below stays open: another directory of it may be in use. */
  @Override
  public void close() {}
}
