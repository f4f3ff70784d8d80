package io.everheap.error;

/** A root holds values of other types than the program asked for. Nothing was changed. */
public final class SchemaMismatchException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-SCHEMA";

  /**
   * Says what is stored and what was wanted.
   *
   * @param root name of the root
   * @param part what differs, for example "key"
   * @param stored type in the heap
   * @param wanted type that the program asked for
   */
  public SchemaMismatchException(String root, String part, String stored, String wanted) {
    super(
        CODE,
        "root \""
            + root
            + "\" has another "
            + part
            + " type:\n  stored: "
            + stored
            + "\n  wanted: "
            + wanted
            + "\nopen it with the stored type, or copy its entries into a new root");
  }
}
