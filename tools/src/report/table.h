// Table: rows of text in aligned columns, two blanks apart, the last column unpadded.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/style.h"

namespace berth::cli {

class Table {
 public:
  // Column titles; a title that starts with '>' stands over numbers, which are aligned to the right.
  explicit Table(std::vector<std::string> titles);

  // Missing cells at the end are empty. A cell that holds no text is shown as "-".
  void add(std::vector<std::string> cells);
  // Colours one cell of the last row. `paint` is a function of Style.
  void paint(std::size_t column, std::string (Style::*paint)(std::string_view) const);
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

  void print(std::ostream& out, const Style& style, std::size_t indent = 2) const;

 private:
  using Painter = std::string (Style::*)(std::string_view) const;
  struct Cell {
    std::string text;
    Painter painter = nullptr;
  };
  struct Column {
    std::string title;
    bool right = false;
  };
  void print_row(std::ostream& out, const Style& style, std::size_t indent, const std::vector<Cell>& row,
                 const std::vector<std::size_t>& widths) const;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace berth::cli
