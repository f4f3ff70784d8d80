package io.everheap.infinispan;

import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import io.everheap.infinispan.configuration.StoreDurability;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.infinispan.AdvancedCache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;

/**
 * A node of a cluster, which is killed. Change number i puts i under a key, or removes the key; so
 * what the cache has after all changes up to a number follows from it.
 */
final class ClusterNode {
  /** Changes before this one are made while no node is away. */
  static final int ALL_NODES_THERE = 1500;

  private static final int KEYS = 300;

  private final AdvancedCache<String, Integer> cache;

  private ClusterNode(AdvancedCache<String, Integer> cache) {
    this.cache = cache;
  }

  /**
   * Takes the directory, the cache's mode, whether it passivates, the ports of both nodes, and
   * whether it is the only one. If not, it joins the other one before it serves: two nodes that
   * find each other later merge, and Infinispan does not say which of their values stays.
   */
  @SuppressWarnings("resource") // it is killed
  public static void main(String[] arguments) throws Exception {
    var global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global.globalState().enable().persistentLocation(arguments[0]);
    global
        .transport()
        .addProperty(
            JGroupsTransport.CONFIGURATION_XML,
            stack(
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                Boolean.parseBoolean(arguments[5]) ? 1_000 : 20_000));
    var configuration = new ConfigurationBuilder();
    configuration.clustering().cacheMode(CacheMode.valueOf(arguments[1])).remoteTimeout(60_000);
    configuration.memory().maxCount(KEYS / 3);
    configuration
        .persistence()
        .passivation(Boolean.parseBoolean(arguments[2]))
        .addStore(EverheapStoreConfigurationBuilder.class)
        .durability(StoreDurability.ASYNC);
    var manager = new DefaultCacheManager(global.build());
    manager.defineConfiguration("numbers", configuration.build());
    var node = new ClusterNode(manager.<String, Integer>getCache("numbers").getAdvancedCache());
    say("started with " + manager.getMembers().size());
    var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      say(node.obey(order.split(" ", -1)));
    }
    manager.stop();
  }

  private static void say(String what) {
    System.out.println(what);
    System.out.flush();
  }

  private String obey(String[] order) {
    int number = Integer.parseInt(order[1]);
    return order[0].equals("write") ? write(number, Integer.parseInt(order[2])) : check(number);
  }

  private String write(int from, int to) {
    for (int i = from; i < to; i++) {
      if (isRemoval(i)) {
        cache.remove(key(i));
      } else {
        cache.put(key(i), i);
      }
    }
    return "done";
  }

  /** Compares what this node has itself, in memory and in its store. */
  private String check(int changes) {
    var mine = cache.withFlags(Flag.CACHE_MODE_LOCAL);
    for (int i = Math.max(0, changes - KEYS); i < changes; i++) {
      Integer expected = isRemoval(i) ? null : Integer.valueOf(i);
      Integer found = mine.get(key(i));
      if (!java.util.Objects.equals(found, expected)) {
        return key(i) + " is " + found + ", not " + expected;
      }
    }
    return "done";
  }

  private static String key(int change) {
    return "key-" + change % KEYS;
  }

  /**
   * Nothing is removed while a node is away: when it comes back, Infinispan replaces what it has by
   * what the other node has, but does not remove what the other node has not.
   */
  private static boolean isRemoval(int change) {
    return change % 7 == 0 && change < ALL_NODES_THERE;
  }

  private static String stack(int port, int other, int joinMillis) {
    return String.format(
        Locale.ROOT,
        """
        <config xmlns="urn:org:jgroups">
          <TCP bind_addr="127.0.0.1" bind_port="%d" port_range="0" use_virtual_threads="true"/>
          <RED/>
          <TCPPING initial_hosts="127.0.0.1[%d],127.0.0.1[%d]" port_range="0"
              num_discovery_runs="5"/>
          <MERGE3 min_interval="500" max_interval="2000"/>
          <FD_SOCK2 offset="100" port_range="0"/>
          <FD_ALL3 timeout="60000" interval="2000"/>
          <VERIFY_SUSPECT2 timeout="100"/>
          <pbcast.NAKACK2/>
          <UNICAST3/>
          <pbcast.STABLE/>
          <pbcast.GMS join_timeout="%d" print_local_addr="false"/>
          <UFC/>
          <MFC/>
          <FRAG4/>
        </config>
        """,
        port,
        port,
        other,
        joinMillis);
  }
}
