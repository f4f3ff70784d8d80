package io.everheap.cli;

import io.everheap.cache.CacheReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code everheap cache keys DIR}: the keys of a cache. */
@Command(
    name = "keys",
    description = "Lists the keys of a cache: as text if they are, else in hexadecimal digits.")
final class CacheKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CacheArguments arguments;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "List this many at most (default: ${DEFAULT-VALUE}).")
  private long limit;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (arguments.json()) {
      Json.document(
          out,
          json -> {
            json.writeStartArray();
            long[] left = {limit};
            IOException[] failure = new IOException[1];
            CacheReport.forEach(
                arguments.directory(),
                entry -> {
                  if (left[0]-- <= 0) {
                    return false;
                  }
                  try {
                    json.writeStartObject();
                    json.writeStringField("key", text(entry.key()));
                    json.writeNumberField("length", entry.length());
                    json.writeStringField("written", entry.written().toString());
                    json.writeStringField(
                        "expires", entry.expiresAt().map(Object::toString).orElse(null));
                    json.writeEndObject();
                  } catch (IOException e) {
                    failure[0] = e;
                    return false;
                  }
                  return true;
                },
                arguments.key());
            if (failure[0] != null) {
              throw failure[0];
            }
            json.writeEndArray();
          });
      return ExitCode.OK;
    }
    long[] left = {limit};
    CacheReport.forEach(
        arguments.directory(),
        entry -> {
          if (left[0]-- <= 0) {
            out.println("... and more; --limit N lists more.");
            return false;
          }
          out.println(
              String.format(
                  Locale.ROOT,
                  "%s  %s, written %s%s",
                  text(entry.key()),
                  Text.bytes(entry.length()),
                  entry.written(),
                  entry.expiresAt().map(time -> ", expires " + time).orElse("")));
          return true;
        },
        arguments.key());
    out.flush();
    return ExitCode.OK;
  }

  private static String text(byte[] key) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
      if (!text.isEmpty() && text.chars().noneMatch(Character::isISOControl)) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // not UTF-8
    }
    return "0x" + HexFormat.of().formatHex(key);
  }
}
