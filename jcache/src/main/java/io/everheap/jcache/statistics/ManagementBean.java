package io.everheap.jcache.statistics;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** A bean in the platform's server, or not. Thread-safe. */
public final class ManagementBean {
  private static final System.Logger LOG = System.getLogger(ManagementBean.class.getName());

  /** What a part of a name must not contain, or what would make it a pattern. */
  private static final Pattern SPECIAL = Pattern.compile("[:=,\n*?\"]");

  private final ObjectName name;
  private final Object bean;
  private boolean registered;

  /** Not registered at first; the type is that of the name. */
  public ManagementBean(String type, URI manager, String cache, Object bean) {
    this.bean = bean;
    try {
      this.name =
          new ObjectName(
              String.format(
                  Locale.ROOT,
                  "javax.cache:type=%s,CacheManager=%s,Cache=%s",
                  type,
                  safe(manager.toString()),
                  safe(cache)));
    } catch (JMException e) {
      throw new CacheException("there is no name for the management bean of " + cache, e);
    }
  }

  private static String safe(String text) {
    return SPECIAL.matcher(text).replaceAll(".");
  }

  /** Registers or removes it; a bean that another cache has under the same name stays. */
  public synchronized void enable(boolean enabled) {
    if (enabled == registered) {
      return;
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (enabled) {
        server.registerMBean(bean, name);
      } else {
        server.unregisterMBean(name);
      }
      registered = enabled;
    } catch (InstanceAlreadyExistsException e) {
      LOG.log(System.Logger.Level.WARNING, "another cache has the management bean {0}", name);
    } catch (InstanceNotFoundException e) {
      registered = false; // the program removed it
    } catch (JMException e) {
      throw new CacheException("cannot register the management bean " + name, e);
    }
  }

  /** Whether it is registered by this. */
  public synchronized boolean isEnabled() {
    return registered;
  }
}
