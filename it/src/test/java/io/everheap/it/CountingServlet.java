package io.everheap.it;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Adds a visit for each POST, and replies to a GET with the numbers of visits. */
public final class CountingServlet extends HttpServlet {
  /** Called by the server. */
  public CountingServlet() {}

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var data = CountingApplication.Data.of(getServletContext());
    response
        .getWriter()
        .print(data.count() + " " + data.journaled() + " " + data.cached() + " " + data.stored());
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    CountingApplication.Data.of(getServletContext()).add(request.getRequestURI());
    doGet(request, response);
  }
}
