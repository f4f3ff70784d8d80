package org.apache.cassandra.security;

import java.security.PermissionCollection;
import java.security.Permissions;

/**
 * Takes the place of Cassandra's class of this name, which sets a policy for the whole process; JDK
 * 25 refuses that. So there is no sandbox, and functions of users stay off.
 */
public final class ThreadAwareSecurityManager {
  /** No permissions. */
  public static final PermissionCollection noPermissions = new Permissions();

  static {
    noPermissions.setReadOnly();
  }

  private ThreadAwareSecurityManager() {}

  /** Does nothing. */
  public static void install() {}

  /** Returns false: no thread is restricted. */
  public static boolean isSecuredThread() {
    return false;
  }
}
