package io.everheap.weaver;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A small program in package {@code bank}, compiled in memory, woven or not, in a class loader of
 * its own.
 */
final class Program {
  private static final String HEADER =
      "package bank; import io.everheap.*; import io.everheap.durable.*; import io.everheap.codec.*;"
          + " import io.everheap.collection.*; import java.util.*; import java.util.function.*;";
  private static final Pattern NAME =
      Pattern.compile("public (?:[a-z-]+ )*(?:class|interface|enum|record) (\\w+)");

  private final Map<String, byte[]> classes;
  private final ClassLoader loader;

  private Program(Map<String, byte[]> classes, ClassLoader parent) {
    this.classes = classes;
    this.loader = new Loader(classes, parent);
  }

  /** Compiles and weaves. */
  static Program woven(String... sources) {
    return woven(Program.class.getClassLoader(), sources);
  }

  /** Compiles and weaves; the program finds the library in a class loader. */
  static Program woven(ClassLoader library, String... sources) {
    return new Program(weave(compile(sources)), library);
  }

  /** Compiles only. */
  static Program plain(String... sources) {
    return of(compile(sources));
  }

  /** A program of these classes. */
  static Program of(Map<String, byte[]> classes) {
    return new Program(classes, Program.class.getClassLoader());
  }

  /** Class files by their names; each source has one public type, which gives it its name. */
  static Map<String, byte[]> compile(String... sources) {
    List<JavaFileObject> units = new ArrayList<>();
    for (String source : sources) {
      Matcher name = NAME.matcher(source);
      if (!name.find()) {
        throw new IllegalArgumentException("no public type: " + source);
      }
      units.add(new Source(name.group(1), HEADER + source));
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, byte[]> classes = new TreeMap<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-g", "-proc:none", "-Xlint:none", "-nowarn");
      java.io.StringWriter messages = new java.io.StringWriter();
      boolean compiled =
          compiler.getTask(messages, new Output(files, classes), null, options, null, units).call();
      if (!compiled) {
        throw new IllegalArgumentException(messages + String.join("\n", sources));
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return classes;
  }

  /** Weaves all. */
  static Map<String, byte[]> weave(Map<String, byte[]> classes) {
    ClassSource others = ClassSource.of(Program.class.getClassLoader());
    Weaver weaver =
        new Weaver(
            name -> {
              byte[] own = classes.get(name.replace('/', '.'));
              return own != null ? own : others.find(name);
            });
    Map<String, byte[]> woven = new TreeMap<>();
    classes.forEach(
        (name, bytes) -> {
          byte[] changed = weaver.weave(bytes);
          woven.put(name, changed != null ? changed : bytes);
        });
    return woven;
  }

  Map<String, byte[]> classes() {
    return classes;
  }

  /** A type of package {@code bank}. */
  @SuppressWarnings("unchecked")
  Class<Object> type(String name) {
    try {
      return (Class<Object>) loader.loadClass("bank." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Calls a constructor, as {@code new} does. */
  Object make(String type, Object... arguments) {
    for (Constructor<?> constructor : type(type).getDeclaredConstructors()) {
      if (constructor.getParameterCount() == arguments.length && !constructor.isSynthetic()) {
        constructor.setAccessible(true);
        try {
          return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
          throw rethrown(e);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    throw new IllegalArgumentException("no constructor of " + type);
  }

  /** Calls a static method, whose name is the only one like it. */
  Object call(String type, String method, Object... arguments) {
    return invoke(find(type(type), method, arguments.length), null, arguments);
  }

  /** Calls a method of an object. */
  static Object on(Object object, String method, Object... arguments) {
    return invoke(find(object.getClass(), method, arguments.length), object, arguments);
  }

  private static Method find(Class<?> type, String name, int parameters) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == parameters) {
          method.setAccessible(true);
          return method;
        }
      }
    }
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == parameters) {
        method.setAccessible(true);
        return method;
      }
    }
    throw new IllegalArgumentException(type + " has no " + name + Arrays.asList(parameters));
  }

  private static Object invoke(Method method, Object object, Object... arguments) {
    try {
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      throw rethrown(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RuntimeException rethrown(InvocationTargetException e) {
    return switch (e.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      default -> new IllegalStateException(e.getCause());
    };
  }

  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(Map<String, byte[]> classes, ClassLoader parent) {
      super(parent);
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("mem:///bank/" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, byte[]> classes;

    Output(JavaFileManager files, Map<String, byte[]> classes) {
      super(files);
      this.classes = classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/')), kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(name, toByteArray());
            }
          };
        }
      };
    }
  }
}
