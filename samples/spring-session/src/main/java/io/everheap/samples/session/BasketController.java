package io.everheap.samples.session;

import jakarta.servlet.http.HttpSession;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The basket of the visitor whose session it is. */
@RestController
class BasketController {
  private static final String BASKET = "basket";

  @GetMapping("/basket")
  List<String> basket(HttpSession session) {
    return items(session);
  }

  @PostMapping("/basket")
  List<String> add(@RequestParam("item") String item, HttpSession session) {
    List<String> items = items(session);
    items.add(item);
    session.setAttribute(BASKET, items);
    return items;
  }

  @SuppressWarnings("unchecked") // only this class stores it
  private static List<String> items(HttpSession session) {
    Object items = session.getAttribute(BASKET);
    return items == null ? new ArrayList<>() : new ArrayList<>((List<String>) items);
  }
}
