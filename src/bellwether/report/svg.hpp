// SPDX-License-Identifier: MIT
// A picture as SVG text: no scripts, no files beside it, everything escaped.
#pragma once

#include <string>
#include <string_view>

namespace bellwether::report {

struct PagePoint {
  double x;
  double y;
};

/// Escaped, and without the characters that XML does not know.
std::string xml_text(std::string_view text);

/// Collects elements in the order in which they are painted. Every `look` is a list of classes.
class Svg {
 public:
  /// A group whose `tip` browsers show when one points at it; empty: none.
  void open(std::string_view look, std::string_view tip = {});
  void close() { body_ += "</g>\n"; }
  void line(PagePoint a, PagePoint b, std::string_view look);
  void rect(PagePoint corner, double width, double height, std::string_view look);
  void circle(PagePoint centre, double radius, std::string_view look);
  /// `outline` is path data around the origin, moved to `at`.
  void shape(PagePoint at, std::string_view outline, std::string_view look);
  /// `data` is path data in units of the page.
  void path(std::string_view data, std::string_view look);
  void text(PagePoint at, std::string_view words, std::string_view look, double degrees = 0);

  /// The whole file. `style` is CSS and `definitions` is SVG, both trusted.
  std::string finish(double width, double height, std::string_view title, std::string_view style,
                     std::string_view definitions) const;
  /// The same as an element of a page that has the style: no colours of its own, as wide as there
  /// is room. `look` is its class.
  std::string element(double width, double height, std::string_view title,
                      std::string_view look) const;

 private:
  std::string body_;
};

}  // namespace bellwether::report
