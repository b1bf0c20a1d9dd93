// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A client in Java with nothing but its library's defaults: prints what each address is answered with, by both of its clients. */
public class Ask {
  private static String byConnection(String url) throws IOException {
    try (var body = new URL(url).openConnection().getInputStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String byClient(String url) throws IOException, InterruptedException {
    var reply = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    return reply.statusCode() == 200 ? reply.body() : "status " + reply.statusCode() + "\n";
  }

  public static void main(String[] urls) throws InterruptedException {
    for (String url : urls) {
      for (boolean isOld : new boolean[] {true, false}) {
        try {
          System.out.print(isOld ? byConnection(url) : byClient(url));
        } catch (IOException error) {
          System.out.println("failed: " + error);
        }
      }
    }
  }
}
