package io.everheap.cache.store;

/** Why an entry ended. */
public enum Cause {
  /** It was invalidated. */
  EXPLICIT,
  /** Another one was inserted under its key. */
  REPLACED,
  /** It made room. */
  SIZE,
  /** Its time was over. */
  EXPIRED,
  /** Its key got another form, and its value another entry. */
  RENAMED,
  /** Its bytes did not have its checksum. */
  DAMAGED
}
