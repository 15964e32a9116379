// SPDX-License-Identifier: MIT
#include "bellwether/json/json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "bellwether/core/print.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/core/utf8.hpp"

namespace bellwether::json {
namespace {

constexpr std::size_t deepest = 200;  // values are walked and destroyed by recursion

/// Builds a value from what nlohmann-json reads.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json root;

  bool null() override { return put({}); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& key) override {
    key_ = std::move(key);
    return true;
  }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool put(Json value) {
    add(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() == deepest) return false;
    open_.emplace_back(std::move(key_), std::move(container));
    return true;
  }
  bool close() {
    auto [key, container] = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(key);
    return put(std::move(container));
  }
  void add(Json value) {
    if (open_.empty())
      root = std::move(value);
    else if (open_.back().second.is_array())
      open_.back().second.push_back(std::move(value));
    else
      open_.back().second[key_] = std::move(value);
  }

  std::vector<std::pair<std::string, Json>> open_;  // under which key, and what is there so far
  std::string key_;                                 // whose value comes next
};

}  // namespace

Json::Json() noexcept = default;
Json::Json(Plain value) {
  std::visit([&](auto each) { value_ = each; }, value);
}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(Array array) : value_(std::move(array)) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> list) {
  const bool pairs = std::all_of(list.begin(), list.end(), [](const Json& each) {
    return each.is_array() && each.size() == 2 && each.at(0).is_string();
  });
  if (!pairs) {
    value_ = Array(list);
    return;
  }
  value_ = Object{};
  for (const Json& each : list) (*this)[each.at(0).text()] = each.at(1);
}

Json Json::object() {
  return Json(std::initializer_list<Json>{});
}

std::optional<Json> Json::read(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return std::move(builder.root);
}

Json Json::parse(std::string_view text) {
  auto out = read(text);
  if (!out) throw core::Problem("not JSON");
  return std::move(*out);
}

const Json* Json::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found = std::find_if(object->begin(), object->end(),
                                  [&](const KeyValue& each) { return each.key == key; });
  return found == object->end() ? nullptr : &found->value;
}

const Json& Json::at(std::string_view key) const {
  const Json* found = find(key);
  if (found == nullptr) throw core::Problem("there is no \"" + std::string(key) + "\"");
  return *found;
}

const Json& Json::at(std::size_t index) const {
  const auto all = elements();
  if (index >= all.size()) throw core::Problem("there is no element " + std::to_string(index));
  return all[index];
}

Json Json::value(std::string_view key, Json otherwise) const {
  const Json* found = find(key);
  return found == nullptr ? otherwise : *found;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object{};
  if (!is_object()) throw core::Problem("only objects have keys");
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  return std::get<Object>(value_).emplace_back(KeyValue{std::string(key), {}}).value;
}

void Json::erase(std::string_view key) {
  if (auto* object = std::get_if<Object>(&value_))
    std::erase_if(*object, [&](const KeyValue& each) { return each.key == key; });
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array{};
  if (!is_array()) throw core::Problem("only arrays grow");
  std::get<Array>(value_).push_back(std::move(element));
}

std::size_t Json::size() const {
  return is_object() ? members().size() : elements().size();
}

std::span<const Json> Json::elements() const {
  if (is_null()) return {};
  if (!is_array()) throw core::Problem("must be an array");
  return std::get<Array>(value_);
}

std::span<const Json::KeyValue> Json::members() const {
  if (is_null()) return {};
  if (!is_object()) throw core::Problem("must be an object");
  return std::get<Object>(value_);
}

bool Json::operator==(const Json& other) const {
  // 1 and 1.0 are one number.
  if (is_number() && other.is_number() && value_.index() != other.value_.index())
    return number() == other.number();
  return value_ == other.value_;
}

bool Json::boolean() const {
  if (!is_boolean()) throw core::Problem("must be true or false");
  return std::get<bool>(value_);
}

const std::string& Json::text() const {
  if (!is_string()) throw core::Problem("must be text");
  return std::get<std::string>(value_);
}

double Json::number() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  throw core::Problem("must be a number");
}

std::uint64_t Json::unsigned_number(std::uint64_t most) const {
  const auto* value = std::get_if<std::uint64_t>(&value_);
  if (value == nullptr || *value > most)
    throw core::Problem("must be a whole number from 0 to " + std::to_string(most));
  return *value;
}

std::int64_t Json::signed_number(std::int64_t least, std::int64_t most) const {
  if (is_unsigned())
    return static_cast<std::int64_t>(unsigned_number(static_cast<std::uint64_t>(most)));
  const auto* value = std::get_if<std::int64_t>(&value_);
  if (value == nullptr || *value < least)
    throw core::Problem("must be a whole number from " + std::to_string(least) + " to " +
                        std::to_string(most));
  return *value;
}

std::string Json::dump(int indent) const {
  std::string out;
  write(out, indent, 0);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Json& value) {
  return out << value.dump();
}

void Json::write(std::string& out, int indent, int level) const {
  const auto line = [&](int at) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent * at), ' ');
  };
  const auto list = [&](char open, char close, const auto& all, const auto& one) {
    out += open;
    for (bool first = true; const auto& each : all) {
      if (!std::exchange(first, false)) out += ',';
      line(level + 1);
      one(each);
    }
    if (!all.empty()) line(level);
    out += close;
  };
  if (is_null()) {
    out += "null";
  } else if (const auto* flag = std::get_if<bool>(&value_)) {
    out += *flag ? "true" : "false";
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    core::append_json_string(out, core::is_utf8(*text) ? *text : core::valid_utf8(*text));
  } else if (const auto* number = std::get_if<double>(&value_)) {
    core::append_number(out, *number);
  } else if (const auto* positive = std::get_if<std::uint64_t>(&value_)) {
    out += std::to_string(*positive);
  } else if (const auto* negative = std::get_if<std::int64_t>(&value_)) {
    out += std::to_string(*negative);
  } else if (is_array()) {
    list('[', ']', elements(), [&](const Json& each) { each.write(out, indent, level + 1); });
  } else {
    list('{', '}', members(), [&](const KeyValue& each) {
      core::append_json_string(out, core::valid_utf8(each.key));
      out += indent < 0 ? ":" : ": ";
      each.value.write(out, indent, level + 1);
    });
  }
}

}  // namespace bellwether::json
