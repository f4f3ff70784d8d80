package io.everheap.samples.boot;

import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Signs the guest book with each line of the input, and says how many entries there are. */
@SpringBootApplication
public class GuestBookApplication {
  /** For Spring Boot. */
  public GuestBookApplication() {}

  /**
   * Starts the program.
   *
   * @param arguments of Spring Boot
   */
  public static void main(String[] arguments) {
    SpringApplication.run(GuestBookApplication.class, arguments);
  }

  @Bean
  ApplicationRunner reader(GuestBook book) {
    return (ApplicationArguments arguments) -> {
      System.out.println("> " + book.size() + " entries");
      Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
      while (lines.hasNextLine()) {
        System.out.println("> " + book.sign(lines.nextLine()));
      }
    };
  }
}
