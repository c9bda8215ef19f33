#include "npy/npy_header.h"

#include <charconv>
#include <utility>

namespace berth::cli {
namespace {

// Reads one header from left to right; every step answers false, with `wrong` said, when the text is something else.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  [[nodiscard]] bool parse(NpyHeader& header) {
    if (!expect('{')) return false;
    while (!accept('}')) {
      std::string key;
      if (!read_string(key) || !expect(':') || !read_item(key, header)) return false;
      if (!accept(',') && peek() != '}') return fail_with("a comma or a closing brace after '" + key + "'");
    }
    skip_blanks();
    if (position_ != text_.size()) return fail_with("nothing after the closing brace");
    if (!have_descr_ || !have_order_ || !have_shape_) {
      return fail_with("the keys 'descr', 'fortran_order' and 'shape'");
    }
    return true;
  }
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] std::size_t position() const { return position_; }

 private:
  bool fail_with(std::string expected) {
    if (expected_.empty()) expected_ = std::move(expected);
    return false;
  }
  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  [[nodiscard]] char peek() {
    skip_blanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++position_;
    return true;
  }
  bool expect(char wanted) { return accept(wanted) || fail_with(std::string("'") + wanted + "'"); }
  bool accept_word(std::string_view word) {
    skip_blanks();
    if (text_.substr(position_, word.size()) != word) return false;
    position_ += word.size();
    return true;
  }
  bool read_string(std::string& out) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return fail_with("a text in quotes");
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) return fail_with("a closing quote");
    out = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
    return true;
  }
  bool read_number(std::uint64_t& out) {
    skip_blanks();
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (error != std::errc()) return fail_with("a whole number below 2^64");
    position_ += static_cast<std::size_t>(end - begin);
    accept_word("L");  // Python 2
    return true;
  }
  bool read_shape(std::vector<std::uint64_t>& shape) {
    if (!expect('(')) return false;
    while (!accept(')')) {
      std::uint64_t extent = 0;
      if (!read_number(extent)) return false;
      shape.push_back(extent);
      if (!accept(',') && peek() != ')') return fail_with("a comma or a closing parenthesis in 'shape'");
    }
    return true;
  }
  bool read_item(const std::string& key, NpyHeader& header) {
    if (key == "descr" && !std::exchange(have_descr_, true)) {
      return peek() == '[' ? fail_with("one element type (structures cannot be tensors)") : read_string(header.descr);
    }
    if (key == "shape" && !std::exchange(have_shape_, true)) return read_shape(header.shape);
    if (key == "fortran_order" && !std::exchange(have_order_, true)) {
      header.fortran_order = accept_word("True");
      return header.fortran_order || accept_word("False") || fail_with("True or False");
    }
    return fail_with("'descr', 'fortran_order' and 'shape' once each");
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::string expected_;
  bool have_descr_ = false;
  bool have_order_ = false;
  bool have_shape_ = false;
};

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view text) {
  NpyHeader header;
  HeaderParser parser(text);
  if (parser.parse(header)) return header;
  constexpr std::size_t kShown = 24;
  const std::string_view rest = text.substr(parser.position(), kShown);
  return fail({.code = Code::kInvalidData,
               .origin = Origin::kInput,
               .what = "malformed .npy header, character " + std::to_string(parser.position()),
               .expected = parser.expected(),
               .found = rest.empty() ? "the end of the header" : "'" + std::string(rest) + "'"});
}

}  // namespace berth::cli
