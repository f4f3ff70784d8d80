package io.everheap.it;

import io.everheap.Heap;
import io.everheap.cache.BlockCache;
import io.everheap.store.ShardedStore;
import io.everheap.support.Limit;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.WebResourceRoot;
import org.apache.catalina.WebResourceSet;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.Constants;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.DirResourceSet;
import org.apache.catalina.webresources.JarResourceSet;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.tomcat.util.scan.StandardJarScanner;

/**
 * A Tomcat in this process, for {@link WebApplicationsTest}. Each application has its own copy of
 * the library and of {@link CountingApplication} in {@code WEB-INF/classes}, and loads it before it
 * asks the class loader of this program.
 */
final class WebServer implements AutoCloseable {
  /**
   * Options of a JVM that let Tomcat look for leaks, as its start script has them, and let each
   * collection clear soft references: {@code equals} of a record leaves one in the JDK.
   */
  static final List<String> OPTIONS =
      List.of(
          "-XX:SoftRefLRUPolicyMSPerMB=0",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED");

  private static final String LEAKS = "org.apache.catalina.loader.WebappClassLoaderBase";
  private static final Logger LOGGER = Logger.getLogger("org.apache");

  private final Path directory;
  private final Tomcat tomcat = new Tomcat();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Queue<LogRecord> warnings = new ConcurrentLinkedQueue<>();

  /** Starts a server without applications. */
  WebServer(Path directory) throws IOException, LifecycleException {
    this.directory = directory;
    LOGGER.setLevel(Level.WARNING);
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(new Warnings());
    tomcat.setBaseDir(Files.createDirectories(directory.resolve("tomcat")).toString());
    tomcat.setPort(0);
    tomcat.getConnector();
    tomcat.getHost();
    // Otherwise Tomcat may report its own background thread, which visits each application.
    tomcat.getEngine().setBackgroundProcessorDelay(-1);
    tomcat.start();
  }

  private final class Warnings extends Handler {
    @Override
    public void publish(LogRecord message) {
      warnings.add(message);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /**
   * Starts an application.
   *
   * @param data the directory of its data
   * @param closes whether it closes its data when it stops
   */
  StandardContext deploy(String name, Path data, boolean closes) throws IOException {
    Path base = directory.resolve("applications").resolve(name);
    Files.createDirectories(base.resolve("WEB-INF"));
    Files.writeString(base.resolve("WEB-INF/web.xml"), descriptor(data, closes));
    var context = new StandardContext();
    context.setPath("/" + name);
    context.setDocBase(base.toString());
    var loader = new WebappLoader();
    loader.setDelegate(false);
    context.setLoader(loader);
    var root = new StandardRoot(context);
    classPath().forEach(entry -> root.addPostResources(resources(root, entry)));
    context.setResources(root);
    var scanner = new StandardJarScanner();
    scanner.setScanClassPath(false);
    context.setJarScanner(scanner);
    var config = new ContextConfig();
    config.setDefaultWebXml(Constants.NoDefaultWebXml);
    context.addLifecycleListener(config);
    tomcat.getHost().addChild(context);
    return context;
  }

  private static String descriptor(Path data, boolean closes) {
    return """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1" metadata-complete="true">
        <context-param>
          <param-name>directory</param-name>
          <param-value>%s</param-value>
        </context-param>
        <context-param>
          <param-name>closes</param-name>
          <param-value>%s</param-value>
        </context-param>
        <listener>
          <listener-class>io.everheap.it.CountingApplication</listener-class>
        </listener>
        <servlet>
          <servlet-name>counting</servlet-name>
          <servlet-class>io.everheap.it.CountingServlet</servlet-class>
        </servlet>
        <servlet-mapping>
          <servlet-name>counting</servlet-name>
          <url-pattern>/visits</url-pattern>
        </servlet-mapping>
      </web-app>
      """
        .formatted(data, closes);
  }

  /** The directories or jars with the classes of an application. */
  private static Set<Path> classPath() {
    return Stream.of(CountingApplication.class, Heap.class, BlockCache.class, ShardedStore.class)
        .map(WebServer::location)
        .collect(Collectors.toSet());
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static WebResourceSet resources(WebResourceRoot root, Path entry) {
    String classes = "/WEB-INF/classes";
    return Files.isDirectory(entry)
        ? new DirResourceSet(root, classes, entry.toString(), "/")
        : new JarResourceSet(root, classes, entry.toString(), "/");
  }

  /** Stops and removes an application. */
  WeakReference<ClassLoader> undeploy(String name) {
    var context = (StandardContext) tomcat.getHost().findChild("/" + name);
    var loader = new WeakReference<>(context.getLoader().getClassLoader());
    tomcat.getHost().removeChild(context);
    return loader;
  }

  /** Stops an application, and starts it in another class loader. */
  WeakReference<ClassLoader> reload(String name) {
    var context = (StandardContext) tomcat.getHost().findChild("/" + name);
    var loader = new WeakReference<>(context.getLoader().getClassLoader());
    context.reload();
    return loader;
  }

  /** Adds a visit; returns the numbers of visits. */
  String add(String name) throws IOException, InterruptedException {
    return send(name, HttpRequest.newBuilder().POST(BodyPublishers.noBody()));
  }

  /** Returns the numbers of visits. */
  String count(String name) throws IOException, InterruptedException {
    return send(name, HttpRequest.newBuilder().GET());
  }

  private String send(String name, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    int port = tomcat.getConnector().getLocalPort();
    URI uri = URI.create("http://localhost:" + port + "/" + name + "/visits");
    HttpResponse<String> response =
        client.send(request.uri(uri).timeout(Limit.limit()).build(), BodyHandlers.ofString());
    return response.statusCode() == 200 ? response.body() : "status " + response.statusCode();
  }

  /** Returns the leaks of stopped applications that Tomcat reported. */
  List<String> leaks() {
    return texts(LEAKS::equals);
  }

  /** Returns all warnings and errors of Tomcat. */
  List<String> warnings() {
    return texts(_ -> true);
  }

  private List<String> texts(Predicate<String> logger) {
    return warnings.stream()
        .filter(message -> logger.test(message.getLoggerName()))
        .map(message -> message.getMessage() + reason(message))
        .toList();
  }

  private static String reason(LogRecord message) {
    Throwable reason = message.getThrown();
    return reason == null ? "" : ": " + reason;
  }

  /** Stops all applications, and the server. */
  @Override
  public void close() throws LifecycleException {
    client.close();
    tomcat.stop();
    tomcat.destroy();
  }
}
