package io.everheap.cli.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.cli.RefusedException;
import io.everheap.report.VerifyReport;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verifies the heap in the background, once at a time. Thread-safe. */
final class Verification {
  private final Subject subject;
  private boolean running;
  private String what = "";
  private double part;
  private @Nullable VerifyReport report;
  private @Nullable String failure;

  Verification(Subject subject) {
    this.subject = subject;
  }

  /** Begins, unless it runs already. */
  synchronized void start() {
    if (subject.find() == null && subject.isInUse()) {
      throw new RefusedException(
          "another process has the heap open; it can be verified there, by Heap.verify()");
    }
    if (!running) {
      running = true;
      what = "";
      part = 0;
      report = null;
      failure = null;
      Thread.ofVirtual().name("everheap-console-verify").start(this::run);
    }
  }

  private void run() {
    VerifyReport found = null;
    String failed = null;
    subject.begin();
    try {
      Heap heap = subject.find();
      found = heap != null ? heap.verify(this::update) : subject.verify(this::update);
    } catch (RuntimeException e) { // shown on the page
      failed = String.valueOf(e.getMessage());
    } finally {
      subject.end();
      end(found, failed);
    }
  }

  private synchronized void update(String now, double share) {
    what = now;
    part = share;
  }

  private synchronized void end(@Nullable VerifyReport found, @Nullable String failed) {
    report = found;
    failure = failed;
    running = false;
  }

  synchronized String state() {
    return Page.json(
        json -> {
          json.writeBooleanField("running", running);
          json.writeStringField("what", what);
          json.writeNumberField("part", part);
          if (failure != null) {
            json.writeStringField("failure", failure);
          }
          if (report != null) {
            json.writeObjectFieldStart("report");
            write(json, report);
            json.writeEndObject();
          }
        });
  }

  private static void write(JsonGenerator json, VerifyReport report) throws IOException {
    json.writeBooleanField("ok", report.ok());
    json.writeNumberField("found", report.found());
    json.writeNumberField("roots", report.roots());
    json.writeNumberField("entries", report.entries());
    json.writeNumberField("blocks", report.blocks());
    json.writeNumberField("bytes", report.bytes());
    json.writeNumberField("unreachable", report.unreachable());
    write(json, "problems", report.problems());
    json.writeNumberField("foundDangling", report.foundDangling());
    write(json, "dangling", report.dangling());
    json.writeNumberField("foundUndecodable", report.foundUndecodable());
    write(json, "undecodable", report.undecodable());
    json.writeNumberField("foundUnreferenced", report.foundUnreferenced());
    json.writeNumberField("unreferencedBytes", report.unreferencedBytes());
    json.writeArrayFieldStart("notChecked");
    for (String part : report.notChecked()) {
      json.writeString(part);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, String name, List<VerifyReport.Problem> problems)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (VerifyReport.Problem problem : problems) {
      json.writeStartObject();
      json.writeStringField("kind", problem.kind());
      json.writeStringField("root", problem.root());
      json.writeStringField("where", problem.where());
      json.writeStringField("message", problem.message());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
