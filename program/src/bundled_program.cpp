#include "berth/program/bundled_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>

#include "block.h"
#include "bundled_program_generated.h"
#include "failure.h"
#include "file_bytes.h"
#include "flat_reader.h"
#include "shape.h"

namespace berth::program {

struct BundledProgram::Contents {
  std::string name;
  std::shared_ptr<const Program> program;
  std::vector<BundledTestCase> test_cases;
  detail::Block block;
};

namespace {

using detail::Complaint;
using detail::Fault;
using detail::FlatReader;
using detail::Place;
using detail::Table;
using detail::TableList;
using Bytes = std::span<const std::byte>;
namespace wire = berth::program::wire::bundled;

constexpr char kIdentifier[] = "BP08";
constexpr std::size_t kSmallestFile = 16;
constexpr std::size_t kLargestFile = INT32_MAX;

Status check_identifier(std::string_view file, Bytes bytes) {
  if (bytes.size() >= kSmallestFile && bytes.size() <= kLargestFile &&
      std::memcmp(bytes.data() + 4, kIdentifier, 4) == 0) {
    return {};
  }
  return detail::invalid_program({.file = file}, {.what = "this is not a bundled program",
                                                  .expected = "identifier 'BP08' at byte 4",
                                                  .found = std::to_string(bytes.size()) + " bytes without it",
                                                  .next_step = "give a .bpte file"});
}

class BundleReader {
 public:
  BundleReader(std::string_view file, Bytes bytes)
      : file_(file), bytes_(bytes), reader_(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) {}

  // The inner program's bytes; then its test cases.
  Status read_program(Bytes& out) {
    root_ = reader_.root();
    (void)reader_.scalar<std::uint32_t>(root_, wire::BundledProgram::VT_VERSION, 0);
    out = std::as_bytes(reader_.list<std::uint8_t>(root_, wire::BundledProgram::VT_PROGRAM));
    return out.empty() ? wrong({.file = file_}, {.what = "there is no program in the bundle"}) : Status();
  }

  Status read_cases(const Program& program, std::vector<BundledTestCase>& out) {
    const TableList suites = reader_.tables(root_, wire::BundledProgram::VT_METHOD_TEST_SUITES);
    for (std::uint32_t i = 0; i < suites.size; ++i) {
      const Table suite = reader_.item(suites, i);
      const std::string_view method = reader_.string(suite, wire::MethodTestSuite::VT_METHOD_NAME);
      if (program.find_method(method) == nullptr) {
        return wrong({.file = file_, .unit = "test suite", .index = i},
                     {.what = "the suite tests a method that the program does not have",
                      .expected = "the name of one of its methods",
                      .found = "'" + std::string(method) + "'"});
      }
      const TableList cases = reader_.tables(suite, wire::MethodTestSuite::VT_TEST_CASES);
      for (std::uint32_t k = 0; k < cases.size; ++k) {
        const Place place{.file = file_, .method = method, .unit = "test case", .index = k};
        const Table entry = reader_.item(cases, k);
        BundledTestCase test{.method = method, .inputs = {}, .expected_outputs = {}};
        BERTH_RETURN_IF_ERROR(read_values(place, entry, wire::TestCase::VT_INPUTS, test.inputs));
        BERTH_RETURN_IF_ERROR(read_values(place, entry, wire::TestCase::VT_EXPECTED_OUTPUTS, test.expected_outputs));
        out.push_back(std::move(test));
      }
    }
    return reader_.fault() == Fault::kNone ? Status() : wrong({.file = file_}, {});
  }

 private:
  [[gnu::cold]] Status wrong(const Place& place, Complaint complaint) const {
    if (reader_.fault() != Fault::kNone) {
      complaint = detail::malformed(reader_.fault(), reader_.fault_position(), bytes_.size());
    }
    return detail::invalid_program(place, std::move(complaint));
  }

  Status read_values(const Place& place, const Table& parent, std::uint16_t slot, std::vector<BundledValue>& out) {
    const TableList list = reader_.tables(parent, slot);
    out.reserve(list.size);
    for (std::uint32_t i = 0; i < list.size; ++i) {
      const Table entry = reader_.item(list, i);
      const auto type = reader_.scalar<std::uint8_t>(entry, wire::Value::VT_VAL_TYPE, 0);
      BERTH_RETURN_IF_ERROR(read_value(place, type, reader_.table(entry, wire::Value::VT_VAL), out));
    }
    return {};
  }

  Status read_value(const Place& place, std::uint8_t type, const Table& table, std::vector<BundledValue>& out) {
    switch (table.present() ? static_cast<wire::ValueUnion>(type) : wire::ValueUnion::NONE) {
      case wire::ValueUnion::Tensor: {
        BundledTensor tensor;
        BERTH_RETURN_IF_ERROR(read_tensor(place, table, tensor));
        out.emplace_back(tensor);
        return {};
      }
      case wire::ValueUnion::Int:
        out.emplace_back(reader_.scalar<std::int64_t>(table, wire::Int::VT_INT_VAL, 0));
        return {};
      case wire::ValueUnion::Bool:
        out.emplace_back(reader_.scalar<std::uint8_t>(table, wire::Bool::VT_BOOL_VAL, 0) != 0);
        return {};
      case wire::ValueUnion::Double:
        out.emplace_back(reader_.scalar<double>(table, wire::Double::VT_DOUBLE_VAL, 0.0));
        return {};
      default:
        return wrong(place, {.what = "a value of the test case has an unknown type or no contents",
                             .expected = "a tensor, int, bool or double",
                             .found = "type " + std::to_string(type)});
    }
  }

  Status read_tensor(const Place& place, const Table& table, BundledTensor& out) {
    out.scalar_type = static_cast<ScalarType>(reader_.scalar<std::int8_t>(table, wire::Tensor::VT_SCALAR_TYPE, 0));
    out.sizes = reader_.list<std::int32_t>(table, wire::Tensor::VT_SIZES);
    out.dim_order = reader_.list<std::uint8_t>(table, wire::Tensor::VT_DIM_ORDER);
    out.data = std::as_bytes(reader_.list<std::uint8_t>(table, wire::Tensor::VT_DATA));
    if (element_size(out.scalar_type) == 0) {
      return wrong(place, {.what = "a tensor of the test case has an unknown element type",
                           .expected = "a scalar type of the ExecuTorch schema",
                           .found = std::to_string(static_cast<int>(out.scalar_type))});
    }
    if (!detail::is_good_shape(out.sizes, out.dim_order)) {
      return wrong(place, detail::shape_complaint(out.sizes, out.dim_order));
    }
    std::uint64_t bytes = 0;
    if (!detail::count_bytes(out.sizes, out.scalar_type, bytes)) {
      return wrong(place, detail::bytes_complaint(out.sizes, out.scalar_type));
    }
    if (bytes != out.data.size()) {
      return wrong(place, {.what = "a tensor of the test case has data that does not fit its sizes",
                           .expected = std::to_string(bytes) + " bytes",
                           .found = std::to_string(out.data.size()) + " bytes"});
    }
    return {};
  }

  std::string_view file_;
  Bytes bytes_;
  FlatReader reader_;
  Table root_;
};

}  // namespace

// Reads what `contents->block` starts with.
Result<std::shared_ptr<const BundledProgram>> BundledProgram::read(std::unique_ptr<Contents> contents,
                                                                   std::size_t bytes) {
  const Bytes file(contents->block.data(), bytes);
  BERTH_FAIL_IF_ERROR(check_identifier(contents->name, file));
  BundleReader reader(contents->name, file);
  Bytes inner;
  BERTH_FAIL_IF_ERROR(reader.read_program(inner));
  BERTH_ASSIGN(contents->program, Program::from_bytes(inner, contents->name));
  BERTH_FAIL_IF_ERROR(reader.read_cases(*contents->program, contents->test_cases));
  return std::shared_ptr<const BundledProgram>(new BundledProgram(std::move(contents)));
}

bool BundledProgram::is_bundled(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) return false;
  char head[8] = {};
  const bool whole = ::read(opened, head, sizeof(head)) == static_cast<ssize_t>(sizeof(head));
  ::close(opened);
  return whole && std::memcmp(head + 4, kIdentifier, 4) == 0;
}

Result<std::shared_ptr<const BundledProgram>> BundledProgram::open(const std::filesystem::path& file) {
  return detail::without_bad_alloc(file.native(), [&]() -> Result<std::shared_ptr<const BundledProgram>> {
    BERTH_ASSIGN(detail::FileBytes bytes, detail::read_file(file.c_str()));
    auto contents = std::make_unique<Contents>();
    contents->name = file.native();
    contents->block = std::move(bytes.block);
    return read(std::move(contents), bytes.read);
  });
}

Result<std::shared_ptr<const BundledProgram>> BundledProgram::from_bytes(std::span<const std::byte> bytes,
                                                                         std::string_view name) {
  return detail::without_bad_alloc(name, [&]() -> Result<std::shared_ptr<const BundledProgram>> {
    auto contents = std::make_unique<Contents>();
    contents->name = name;
    contents->block = detail::Block::allocate(bytes.size());
    if (contents->block.empty()) return fail(detail::out_of_memory(name, bytes.size()));
    if (!bytes.empty()) std::memcpy(contents->block.data(), bytes.data(), bytes.size());
    return read(std::move(contents), bytes.size());
  });
}

BundledProgram::BundledProgram(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
BundledProgram::~BundledProgram() = default;
const std::shared_ptr<const Program>& BundledProgram::program() const noexcept { return contents_->program; }
std::span<const BundledTestCase> BundledProgram::test_cases() const noexcept { return contents_->test_cases; }

}  // namespace berth::program
