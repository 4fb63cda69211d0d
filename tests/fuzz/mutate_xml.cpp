// SPDX-License-Identifier: BSD-2-Clause
// An XML file as a list of pieces: tags, and what stands between them.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "mutation.hpp"

namespace saltus::fuzz {
namespace {

constexpr std::size_t kMostPieces = 4000;

struct Attribute {
  std::size_t begin, name_end, value, end;  ///< offsets in the tag; `end` is behind the quote
};

class Pieces {
 public:
  explicit Pieces(const std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const bool is_tag = text[begin] == '<';
      const std::size_t end = text.find(is_tag ? '>' : '<', begin);
      const std::size_t next = end == std::string::npos ? text.size() : end + (is_tag ? 1 : 0);
      pieces_.push_back(text.substr(begin, next - begin));
      begin = next;
    }
  }

  std::string text() const {
    std::string all;
    for (const std::string& piece : pieces_) all += piece;
    return all;
  }

  void change(Dice& dice) {
    const std::optional<std::size_t> at = tag(dice);
    if (!at) return;
    switch (dice.below(12)) {
      case 0:
        pieces_[*at].insert(name_end(pieces_[*at]), dice.one_in(2) ? " odd=\"1\"" : "x");
        break;
      case 1:
        remove(*at);
        break;
      case 2:
        insert(place(dice), subtree(*at));
        break;
      case 3: {
        const std::vector<std::string> moved = subtree(*at);
        remove(*at);
        insert(place(dice), moved);
        break;
      }
      case 4:
        nest(*at, dice);
        break;
      case 5:
        rename(*at, dice);
        break;
      case 6:
        insert(place(dice), {foreign(dice)});
        break;
      default:
        change_attribute(*at, dice);
    }
  }

 private:
  static std::size_t name_end(const std::string& tag) {
    return std::min(tag.find_first_of(" \t\r\n/>", 1), tag.size());
  }
  static bool opens(const std::string& piece) {
    return piece.size() > 2 && piece[0] == '<' && piece[1] != '/' && piece[1] != '?' &&
           piece[1] != '!';
  }
  static bool is_closed(const std::string& tag) { return tag.ends_with("/>"); }

  std::optional<std::size_t> tag(Dice& dice) const {
    for (int tries = 0; tries < 50 && !pieces_.empty(); ++tries) {
      const std::size_t at = dice.below(pieces_.size());
      if (opens(pieces_[at])) return at;
    }
    return std::nullopt;
  }
  std::size_t place(Dice& dice) const { return dice.below(pieces_.size() + 1); }

  /// Behind the last piece of an element.
  std::size_t end_of(std::size_t at) const {
    std::size_t depth = 0;
    for (std::size_t i = at; i < pieces_.size(); ++i) {
      if (opens(pieces_[i]) && !is_closed(pieces_[i])) ++depth;
      if (pieces_[i].starts_with("</") && depth > 0) --depth;
      if (depth == 0) return i + 1;
    }
    return pieces_.size();
  }
  std::vector<std::string> subtree(std::size_t at) const {
    return {pieces_.begin() + static_cast<long>(at),
            pieces_.begin() + static_cast<long>(end_of(at))};
  }
  void remove(std::size_t at) {
    pieces_.erase(pieces_.begin() + static_cast<long>(at),
                  pieces_.begin() + static_cast<long>(end_of(at)));
  }
  void insert(std::size_t at, const std::vector<std::string>& list) {
    if (pieces_.size() + list.size() > kMostPieces) return;
    const std::size_t end = std::min(at, pieces_.size());
    pieces_.insert(pieces_.begin() + static_cast<long>(end), list.begin(), list.end());
  }

  /// The element inside of others like it, some of them or very many.
  void nest(std::size_t at, Dice& dice) {
    const std::size_t depth = 1 + dice.below(dice.one_in(8) ? 1500 : 4);
    std::string open = pieces_[at];
    if (is_closed(open)) open.erase(open.size() - 2, 1);
    const std::string close = "</" + open.substr(1, name_end(open) - 1) + ">";
    if (pieces_.size() + 2 * depth > kMostPieces || open.size() * depth > kMostPieces * 50) return;
    const std::size_t end = end_of(at);
    pieces_.insert(pieces_.begin() + static_cast<long>(end), depth, close);
    pieces_.insert(pieces_.begin() + static_cast<long>(at), depth, open);
  }

  /// Another element's name, in both tags.
  void rename(std::size_t at, Dice& dice) {
    const std::optional<std::size_t> other = tag(dice);
    if (!other) return;
    const std::string name = pieces_[*other].substr(1, name_end(pieces_[*other]) - 1);
    const std::size_t last = end_of(at) - 1;
    if (last > at) pieces_[last] = "</" + name + ">";
    pieces_[at].replace(1, name_end(pieces_[at]) - 1, name);
  }

  static std::string foreign(Dice& dice) {
    static const std::array<std::string, 10> kPieces = {
        "<!-- -->",
        "<![CDATA[ <x> ]]>",
        "<!DOCTYPE a [<!ENTITY b \"bbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;\">]>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
        "<?odd?>",
        "<!--",
        "<",
        std::string(1, '\0'),
        "\xef\xbb\xbf",
        "&c; \xff"};
    return dice.pick(kPieces);
  }

  static std::vector<Attribute> attributes(const std::string& tag) {
    std::vector<Attribute> list;
    std::size_t at = name_end(tag);
    for (;;) {
      const std::size_t begin = tag.find_first_not_of(" \t\r\n/>", at);
      if (begin == std::string::npos) return list;
      const std::size_t equals = tag.find('=', begin);
      const std::size_t quote =
          equals == std::string::npos ? equals : tag.find_first_of("\"'", equals);
      if (quote == std::string::npos) return list;
      const std::size_t close = tag.find(tag[quote], quote + 1);
      if (close == std::string::npos) return list;
      list.push_back({.begin = begin, .name_end = equals, .value = quote + 1, .end = close + 1});
      at = close + 1;
    }
  }

  void change_attribute(std::size_t at, Dice& dice) {
    std::string& tag = pieces_[at];
    const std::vector<Attribute> list = attributes(tag);
    if (list.empty()) return;
    const Attribute chosen = dice.pick(list);
    const std::string whole = tag.substr(chosen.begin, chosen.end - chosen.begin);
    switch (dice.below(8)) {
      case 0:
        tag.erase(chosen.begin, chosen.end - chosen.begin);
        break;
      case 1:
        tag.insert(chosen.begin, whole + " ");
        break;
      case 2:
        tag.insert(chosen.name_end, "s");
        break;
      case 3:
        if (const auto other = this->tag(dice)) {
          pieces_[*other].insert(name_end(pieces_[*other]), " " + whole);
        }
        break;
      case 4:  // what another attribute has
        if (const auto other = this->tag(dice)) {
          const std::vector<Attribute> others = attributes(pieces_[*other]);
          if (others.empty()) break;
          const Attribute one = dice.pick(others);
          const std::string value = pieces_[*other].substr(one.value, one.end - 1 - one.value);
          tag.replace(chosen.value, chosen.end - 1 - chosen.value, value);
        }
        break;
      case 5:
        if (dice.one_in(20)) add_many(tag, 1 + dice.below(1000));
        break;
      default:
        tag.replace(chosen.value, chosen.end - 1 - chosen.value, odd_value(dice));
    }
  }
  static void add_many(std::string& tag, std::uint64_t count) {
    std::string many;
    for (std::uint64_t i = 0; i < count; ++i) many += " a" + std::to_string(i) + "=\"\"";
    tag.insert(name_end(tag), many);
  }

  std::vector<std::string> pieces_;
};

}  // namespace

std::string mutate_xml(std::string text, Dice& dice) {
  if (dice.one_in(8)) return mutate_bytes(std::move(text), dice);
  Pieces pieces(text);
  for (std::uint64_t count = 1 + dice.below(5); count > 0; --count) pieces.change(dice);
  text = pieces.text();
  return dice.one_in(16) ? mutate_bytes(std::move(text), dice) : text;
}

}  // namespace saltus::fuzz
