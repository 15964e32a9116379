// SPDX-License-Identifier: MIT
#include "bellwether/core/field_kinds.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/host.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/relabel.hpp"

namespace bellwether::core {
namespace {

enum class Mood : unsigned char { calm, cross };
constexpr auto names_of(Mood) {
  return std::array<std::string_view, 2>{"calm", "cross"};
}

struct Note {
  NodeId id{};
  static constexpr auto fields = std::tuple{field("id", &Note::id)};
  friend bool operator==(const Note&, const Note&) = default;
};

struct Spelled {
  std::uint8_t n = 7;
  std::string text() const { return "<" + std::to_string(n) + ">"; }
  static constexpr auto fields = std::tuple{field("n", &Spelled::n)};
  friend bool operator==(const Spelled&, const Spelled&) = default;
};

template <class T, class Kind>
constexpr bool is = std::same_as<FieldKind<T>, Kind>;

static_assert(is<bool, FlagField> && is<std::uint8_t, UnsignedField> && is<int, SignedField>);
static_assert(is<double, RealField> && is<Duration, DurationField> && is<std::string, TextField>);
static_assert(is<Mood, NamedField> && is<NodeId, LabelField> && is<Port, LabelField>);
static_assert(is<std::array<int, 3>, ArrayField> && is<std::vector<int>, SequenceField>);
static_assert(is<Bytes, BytesField> && is<std::vector<bool>, SequenceField>);
static_assert(is<std::set<int>, SetField> && is<std::map<int, int>, MapField>);
static_assert(is<std::optional<int>, OptionalField> && is<std::pair<int, int>, PairField>);
static_assert(is<std::variant<Note>, VariantField> && is<Shared<Note>, SharedField>);
static_assert(is<Note, StructField> && is<Spelled, WordedField>);
static_assert(is<AnyMessage, OpaqueField> && is<AnyNode, OpaqueField> &&
              is<TimerName, OpaqueField>);

// What a use says nothing about does not compile there, rather than doing something by accident.
template <class T>
concept IsOption = requires(T& value, std::type_identity<T> type) {
  detail::OptionReader::kind(FieldKind<T>{}, type);
  detail::OptionReader::read(FieldKind<T>{}, std::string_view(), value);
};
static_assert(IsOption<bool> && IsOption<Mood> && IsOption<double> && IsOption<Duration>);
static_assert(IsOption<std::uint8_t> && IsOption<std::int64_t> && IsOption<NodeId>);
static_assert(!IsOption<std::vector<int>> && !IsOption<Note> && !IsOption<std::optional<int>>);

template <class T>
concept IsRelabelled = requires(T& value, const Relabelling& names) {
  detail::Relabel::edit(FieldKind<T>{}, names, value);
};
static_assert(IsRelabelled<NodeId> && IsRelabelled<Port> && IsRelabelled<bool>);
static_assert(!IsRelabelled<AnyNode> && !IsRelabelled<std::unordered_map<int, int>>);

/// One field of each kind.
struct All {
  bool flag = true;
  std::uint16_t small = 300;
  std::int32_t below = -3;
  double real = 0.5;
  Mood mood = Mood::cross;
  NodeId id{9};
  Duration wait{1'500'000};
  std::string text = "a\"b";
  Bytes bytes{0, 255};
  std::array<std::uint8_t, 2> two{1, 2};
  std::vector<Port> ports{Port{4}, Port{3}};
  std::set<NodeId> ids{NodeId{2}, NodeId{1}};
  std::map<NodeId, bool> by_id{{NodeId{5}, false}};
  std::optional<NodeId> none;
  std::pair<NodeId, std::uint8_t> both{NodeId{6}, 7};
  Shared<Ids> shared{Ids{NodeId{8}}};
  Note note{NodeId{10}};
  Spelled spelled;
  static constexpr auto fields = std::tuple{
      field("flag", &All::flag),     field("small", &All::small), field("below", &All::below),
      field("real", &All::real),     field("mood", &All::mood),   field("id", &All::id),
      field("wait", &All::wait),     field("text", &All::text),   field("bytes", &All::bytes),
      field("two", &All::two),       field("ports", &All::ports), field("ids", &All::ids),
      field("by_id", &All::by_id),   field("none", &All::none),   field("both", &All::both),
      field("shared", &All::shared), field("note", &All::note),   field("spelled", &All::spelled)};
  friend bool operator==(const All&, const All&) = default;
};

TEST(FieldKinds, EachHasItsTextAndItsJson) {
  EXPECT_EQ(text_of(All{}),
            "(flag=true small=300 below=-3 real=0.5 mood=cross id=9 wait=1.5 ms text=a\"b "
            "bytes=[0,255] two=[1,2] ports=[4,3] ids={1,2} by_id={5:false} none=none both=6:7 "
            "shared=[8] note=(id=10) spelled=<7>)");
  EXPECT_EQ(json_of(All{}),
            R"({"flag":true,"small":300,"below":-3,"real":0.5,"mood":"cross","id":9,)"
            R"("wait":1500000,"text":"a\"b","bytes":[0,255],"two":[1,2],"ports":[4,3],)"
            R"("ids":[1,2],"by_id":[[5,false]],"none":null,"both":[6,7],"shared":[8],)"
            R"("note":{"id":10},"spelled":"<7>"})");
}

TEST(FieldKinds, EachHasItsBytes) {
  EXPECT_EQ(
      encode(All{}),
      (Bytes{1,    0xAC, 0x02, 5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xF0, 0x3F, 1, 9, 0xC0,
             0x8D, 0xB7, 0x01, 3, 0xC2, 0x01, 0x44, 0xC4, 0x01, 2,    0,    255,  1,    2, 2, 4,
             3,    2,    1,    2, 1,    5,    0,    0,    6,    7,    1,    8,    10,   7}));
  EXPECT_EQ(encoded_size(All{}), encode(All{}).size());
}

TEST(FieldKinds, EachIsReadAsItWasWritten) {
  Prng prng(7);
  for (int i = 0; i < 500; ++i) {
    const auto all = arbitrary<All>(prng);
    const auto back = decode<All>(encode(all));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, all);
    EXPECT_EQ(digest(*back), digest(all));
  }
}

TEST(FieldKinds, IdsAndPortsHaveOtherNamesWhereverTheyAre) {
  struct Next : Relabelling {
    NodeId id(NodeId old) const override { return NodeId{raw(old) + 100}; }
    Port port(Port old) const override { return Port{raw(old) + 200}; }
  };
  All all;
  relabel(Next{}, all);
  All expected;
  expected.id = NodeId{109};
  expected.ports = {Port{204}, Port{203}};
  expected.ids = {NodeId{101}, NodeId{102}};
  expected.by_id = {{NodeId{105}, false}};
  expected.both.first = NodeId{106};
  expected.shared = Shared<Ids>(Ids{NodeId{108}});
  expected.note.id = NodeId{110};
  EXPECT_EQ(all, expected);
}

TEST(FieldKinds, AnEnumIsFoundByItsName) {
  EXPECT_EQ(value_named<Mood>("cross"), Mood::cross);
  EXPECT_EQ(value_named<Mood>("Cross"), std::nullopt);
  for (const Mood mood : {Mood::calm, Mood::cross})
    EXPECT_EQ(value_named<Mood>(name_of(mood)), mood);
}

TEST(FieldKinds, AnOptionIsOfItsWidth) {
  std::uint8_t narrow = 1;
  EXPECT_TRUE(read_option("255", narrow));
  EXPECT_FALSE(read_option("256", narrow));
  EXPECT_FALSE(read_option("-1", narrow));
  EXPECT_FALSE(read_option("18446744073709551616", narrow));
  EXPECT_EQ(narrow, 255);
  std::int8_t below = 1;
  EXPECT_TRUE(read_option("-128", below));
  EXPECT_FALSE(read_option("-129", below));
  EXPECT_FALSE(read_option("128", below));
  EXPECT_EQ(below, -128);
}

}  // namespace
}  // namespace bellwether::core
