#include "registry/source_text.h"

#include <algorithm>
#include <numeric>

namespace berth::loader::detail {
namespace {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::string place_text(const std::string& file, SourcePosition position) {
  if (position.line == 0) return file;
  return file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::string list_text(const std::vector<std::string>& items, std::string_view last_word) {
  if (items.empty()) return "none";
  std::string text = items.front();
  for (std::size_t i = 1; i < items.size(); ++i) {
    text += i + 1 == items.size() ? " " + std::string(last_word) + " " : ", ";
    text += items[i];
  }
  return text;
}

std::string nearest(std::string_view text, const std::vector<std::string>& items) {
  constexpr std::size_t kLongest = 64;  // longer words are no misspellings, and the distance is quadratic
  if (text.size() > kLongest) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(text.size() / 3, 1) + 1;
  for (const std::string& item : items) {
    if (item.size() > kLongest) continue;
    const std::size_t distance = edit_distance(text, item);
    if (distance < best_distance) {
      best = item;
      best_distance = distance;
    }
  }
  return best;
}

std::string nearest_step(std::string_view text, const std::vector<std::string>& items) {
  const std::string item = nearest(text, items);
  return item.empty() ? std::string() : "write '" + item + "'";
}

}  // namespace berth::loader::detail
