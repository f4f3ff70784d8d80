package io.everheap.replication;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Sets the fields of a session that its threads set, for tests without threads. */
final class SessionFields {
  private static final VarHandle NAME;
  private static final VarHandle CREATED;
  private static final VarHandle ACKNOWLEDGED;

  static {
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(Session.class, MethodHandles.lookup());
      NAME = lookup.findVarHandle(Session.class, "name", String.class);
      CREATED = lookup.findVarHandle(Session.class, "created", long.class);
      ACKNOWLEDGED = lookup.findVarHandle(Session.class, "acknowledged", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private SessionFields() {}

  static void identify(Session session, String name, long id) {
    NAME.setVolatile(session, name);
    CREATED.setVolatile(session, id);
  }

  static void acknowledge(Session session, long lsn) {
    ACKNOWLEDGED.setVolatile(session, lsn);
  }
}
