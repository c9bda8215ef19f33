#include "report/table.h"

#include <algorithm>
#include <utility>

namespace berth::cli {
namespace {

// Characters as a terminal shows them: bytes that continue a UTF-8 character take no room.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

Table::Table(std::vector<std::string> titles) {
  for (std::string& title : titles) {
    const bool right = !title.empty() && title.front() == '>';
    columns_.push_back({right ? title.substr(1) : std::move(title), right});
  }
}

void Table::add(std::vector<std::string> cells) {
  std::vector<Cell> row(columns_.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool given = i < cells.size() && !cells[i].empty();
    row[i].text = given ? std::move(cells[i]) : "-";
  }
  rows_.push_back(std::move(row));
}

void Table::paint(std::size_t column, Painter painter) { rows_.back()[column].painter = painter; }

void Table::print(std::ostream& out, const Style& style, std::size_t indent) const {
  std::vector<Cell> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back({column.title, nullptr});
    widths.push_back(width_of(column.title));
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i].text));
  }
  print_row(out, style, indent, titles, widths);
  for (const auto& row : rows_) print_row(out, style, indent, row, widths);
}

void Table::print_row(std::ostream& out, const Style& style, std::size_t indent, const std::vector<Cell>& row,
                      const std::vector<std::size_t>& widths) const {
  out << std::string(indent, ' ');
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string text = row[i].painter == nullptr ? row[i].text : (style.*row[i].painter)(row[i].text);
    const std::string padding(widths[i] - width_of(row[i].text), ' ');
    const bool last = i + 1 == row.size();
    if (columns_[i].right) {
      out << padding << text;
    } else {
      out << text << (last ? "" : padding);
    }
    out << (last ? "\n" : "  ");
  }
}

}  // namespace berth::cli
