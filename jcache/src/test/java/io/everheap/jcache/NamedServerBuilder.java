package io.everheap.jcache;

import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;

/** Makes servers of management beans with the identity that the conformance suite looks for. */
public class NamedServerBuilder extends MBeanServerBuilder {
  @Override
  public MBeanServerDelegate newMBeanServerDelegate() {
    return new MBeanServerDelegate() {
      @Override
      public synchronized String getMBeanServerId() {
        return System.getProperty("org.jsr107.tck.management.agentId");
      }
    };
  }
}
