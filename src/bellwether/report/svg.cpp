// SPDX-License-Identifier: MIT
#include "bellwether/report/svg.hpp"

#include <fmt/format.h>

#include <iterator>

#include "bellwether/observe/trace/text.hpp"

namespace bellwether::report {
namespace {

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : observe::one_line(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  // U+FFFE and U+FFFF are UTF-8 but not XML.
  for (const std::string_view alien : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (auto at = out.find(alien); at != std::string::npos; at = out.find(alien))
      out.replace(at, alien.size(), "?");
  return out;
}

void Svg::open(std::string_view look, std::string_view tip) {
  look.empty() ? void(body_ += "<g>") : add(body_, "<g class=\"{}\">", look);
  if (!tip.empty()) add(body_, "<title>{}</title>", xml_text(tip));
}

void Svg::line(PagePoint a, PagePoint b, std::string_view look) {
  add(body_, "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", look,
      a.x, a.y, b.x, b.y);
}

void Svg::rect(PagePoint corner, double width, double height, std::string_view look) {
  add(body_, "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
      look, corner.x, corner.y, width, height);
}

void Svg::circle(PagePoint centre, double radius, std::string_view look) {
  add(body_, "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", look, centre.x,
      centre.y, radius);
}

void Svg::shape(PagePoint at, std::string_view outline, std::string_view look) {
  add(body_, "<path class=\"{}\" transform=\"translate({:.1f} {:.1f})\" d=\"{}\"/>\n", look, at.x,
      at.y, outline);
}

void Svg::path(std::string_view data, std::string_view look) {
  add(body_, "<path class=\"{}\" d=\"{}\"/>\n", look, data);
}

void Svg::text(PagePoint at, std::string_view words, std::string_view look, double degrees) {
  add(body_, "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"", look, at.x, at.y);
  if (degrees != 0) add(body_, " transform=\"rotate({:.1f} {:.1f} {:.1f})\"", degrees, at.x, at.y);
  add(body_, ">{}</text>\n", xml_text(words));
}

std::string Svg::finish(double width, double height, std::string_view title, std::string_view style,
                        std::string_view definitions) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n"
      "<title>{2}</title>\n<style>\n{3}</style>\n<defs>\n{4}</defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{5}</svg>\n",
      width, height, xml_text(title), style, definitions, body_);
}

std::string Svg::element(double width, double height, std::string_view title,
                         std::string_view look) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{0}\" viewBox=\"0 0 {1:.0f} {2:.0f}\" "
      "role=\"img\" aria-label=\"{3}\">\n{4}</svg>\n",
      look, width, height, xml_text(title), body_);
}

}  // namespace bellwether::report
