package dev.errand.daemon.surface.http;

/** Links to the next page of a list. */
final class Links {

  private Links() {}

  /** The value of a Link header: the same request with one parameter changed. */
  static String next(Call call, String parameter, String value) {
    return "<" + call.path() + call.queryWith(parameter, value) + ">; rel=\"next\"";
  }
}
