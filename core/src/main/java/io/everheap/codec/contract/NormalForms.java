package io.everheap.codec.contract;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.BitSet;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Classes of the JDK whose equal instances may be serialized differently. Each instance is replaced
 * by an equal one that is the same for all that are equal to it. Stateless.
 */
public final class NormalForms {
  private static final Pattern ESCAPED = Pattern.compile("%[0-9a-fA-F]{2}");

  private NormalForms() {}

  /** The instance that is serialized in place of an object; null for one of another class. */
  public static @Nullable Object of(Object part) {
    return switch (part) {
      case BitSet bits when bits.getClass() == BitSet.class -> BitSet.valueOf(bits.toLongArray());
      case GregorianCalendar calendar when calendar.getClass() == GregorianCalendar.class ->
          of(calendar);
      case InetSocketAddress address when address.getClass() == InetSocketAddress.class ->
          of(address);
      case URI uri -> of(uri);
      default -> null;
    };
  }

  /** Without what is computed when it is asked for, and counted when fields are set. */
  private static GregorianCalendar of(GregorianCalendar calendar) {
    var normal = new GregorianCalendar(calendar.getTimeZone(), Locale.ROOT);
    normal.setGregorianChange(calendar.getGregorianChange());
    normal.setLenient(calendar.isLenient());
    normal.setFirstDayOfWeek(calendar.getFirstDayOfWeek());
    normal.setMinimalDaysInFirstWeek(calendar.getMinimalDaysInFirstWeek());
    normal.setTimeInMillis(calendar.getTimeInMillis());
    int _ = normal.get(Calendar.YEAR); // computes all fields
    return normal;
  }

  /** Without the name, which resolved addresses are not compared by. */
  private static InetSocketAddress of(InetSocketAddress address) {
    InetAddress its = address.getAddress();
    return its == null
        ? InetSocketAddress.createUnresolved(
            address.getHostString().toLowerCase(Locale.ROOT), address.getPort())
        : new InetSocketAddress(its, address.getPort());
  }

  /** With scheme and host in small letters, and escaped bytes in capital ones. */
  private static URI of(URI uri) {
    StringBuilder text = new StringBuilder();
    if (uri.getScheme() != null) {
      text.append(uri.getScheme().toLowerCase(Locale.ROOT)).append(':');
    }
    if (uri.isOpaque()) {
      text.append(uri.getRawSchemeSpecificPart());
    } else {
      if (uri.getHost() != null) {
        text.append("//");
        if (uri.getRawUserInfo() != null) {
          text.append(uri.getRawUserInfo()).append('@');
        }
        text.append(uri.getHost().toLowerCase(Locale.ROOT));
        if (uri.getPort() != -1) {
          text.append(':').append(uri.getPort());
        }
      } else if (uri.getRawAuthority() != null) {
        text.append("//").append(uri.getRawAuthority());
      }
      text.append(uri.getRawPath());
      if (uri.getRawQuery() != null) {
        text.append('?').append(uri.getRawQuery());
      }
    }
    if (uri.getRawFragment() != null) {
      text.append('#').append(uri.getRawFragment());
    }
    String escaped =
        ESCAPED
            .matcher(text)
            .replaceAll((MatchResult found) -> found.group().toUpperCase(Locale.ROOT));
    try {
      URI normal = URI.create(escaped);
      return normal.equals(uri) ? normal : uri;
    } catch (IllegalArgumentException e) {
      return uri; // a path that looks like an authority
    }
  }
}
