package dev.errand.daemon.surface.http;

/** Where a list goes on. */
final class Links {

  private Links() {}

  /** The value of a Link header: this request again, but for one parameter. */
  static String next(Call call, String parameter, String value) {
    return "<" + call.path() + call.queryWith(parameter, value) + ">; rel=\"next\"";
  }
}
