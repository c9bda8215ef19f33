// Programs and inputs that contradict themselves, the registry or each other, through a file, the loader, the mock and
// Module: the whole message, and nothing lost. The checks one by one are tested in tests/unit.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "berth/test/program_builder.h"
#include "sweep_case.h"

namespace berth::sweep {
namespace {

using module::Module;
using module::Tensor;
using module::Value;
using test::kCuda;

// y = x on the host by way of cuda:0: values 0 x, 1 and 2 on cuda:0, 3 y; planned buffers 1 (host) and 2 (cuda:0).
struct Contradiction {
  Contradiction() : forward(builder.method("forward")) {
    forward.buffer(32);
    forward.buffer(32, kCuda);
  }
  // Adds what the test did not: tensors in their places, and the two copies.
  void finish() {
    const int y = forward.tensor({.sizes = {2, 2}, .memory_id = 1, .offset = 16});
    forward.inputs({0}).outputs({y});
    forward.call("et_copy::_h2d_copy.out", {0, 1, 1}).call("et_copy::_d2h_copy.out", {1, y, y});
  }
  int x() { return forward.tensor({.sizes = {2, 2}, .memory_id = 1}); }
  int on_device() { return forward.tensor({.sizes = {2, 2}, .memory_id = 2, .device_type = kCuda}); }

  test::ProgramBuilder builder;
  test::MethodBuilder& forward;
};

class BadInputTest : public testing::Test {
 protected:
  // The failure of opening, loading or running a program that `write` contradicts, without the file's name.
  std::string failure(const std::function<void(Contradiction&)>& write) {
    Contradiction program;
    write(program);
    const std::vector<std::byte> bytes = program.builder.build();
    const std::string path =
        folder_.write("bad.pte", {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).string();
    const std::string message = outcome(std::filesystem::path(path));
    return message.starts_with(path + ", ") ? message.substr(path.size() + 2) : message;
  }

  std::string outcome(const std::filesystem::path& file) {
    auto module = Module::load(file, session_.registry_handle(), reference_options());
    Status status = module.status();
    if (status.ok()) status = (*module)->load_method("forward");
    if (status.ok()) {
      const Tensor x = *Tensor::of<float>({2, 2}, {1, 2, 3, 4});
      status = (*module)->execute("forward", std::vector{Value::of_tensor(x)}).status();
    }
    if (module.has_value()) module->reset();
    expect_nothing_left(session_);
    if (!status.ok()) {
      EXPECT_TRUE(status.origin() == Origin::kInput || status.code() == Code::kNotFound) << status.message();
    }
    return status.message();
  }

  test::TempDir folder_;
  Session session_{{.program = "add_cuda0", .options = ""}};
};

TEST_F(BadInputTest, RunsTheProgramThatTheOthersContradict) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.on_device();
              p.finish();
            }),
            "OK");
}

TEST_F(BadInputTest, TensorOnAnotherDeviceThanItsBuffer) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.forward.tensor({.sizes = {2, 2}, .memory_id = 2, .device_type = kCuda, .device_index = 1});
              p.finish();
            }),
            "method 'forward', value 1: the tensor is tagged for another device than its planned buffer 2: expected a "
            "tensor on the buffer's device, cuda:0, found cuda:1; export the program again");
}

TEST_F(BadInputTest, BufferListedTwice) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.on_device();
              p.forward.buffer_device(2, kCuda, 1);
              p.finish();
            }),
            "method 'forward', planned buffer 2: two entries name the device of this buffer: expected at most one "
            "entry, found entry 1 as well; export the program again");
}

TEST_F(BadInputTest, UnknownDeviceType) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.forward.buffer(16, 9);
              p.forward.tensor({.sizes = {2, 2}, .memory_id = 3, .device_type = 9});
              p.finish();
            }),
            "method 'forward': planned buffer 3 (16 bytes on type 9:0): device type 9 has no name: expected 0 (cpu), 1 "
            "(cuda), or a type that the registry file names, found 9; add a line `9 = \"...\"` under [types] of the "
            "registry file");
}

TEST_F(BadInputTest, IndexOutOfRange) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.forward.tensor({.sizes = {2, 2}, .memory_id = 3, .device_type = kCuda});
              p.finish();
            }),
            "method 'forward', value 1: the tensor names a planned buffer that the method does not have: expected a "
            "memory id from 1 to 2, found memory id 3; export the program again");
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.on_device();
              p.finish();
              p.forward.call("et_copy::_h2d_copy.out", {0, 7, 7});
            }),
            "method 'forward', chain 0, instruction 2: argument 1 is a value that the method does not have: expected a "
            "value below 3, found value 7; export the program again");
}

TEST_F(BadInputTest, OffsetPastTheEnd) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.forward.tensor({.sizes = {2, 2}, .memory_id = 2, .offset = 20, .device_type = kCuda});
              p.finish();
            }),
            "method 'forward', value 1: the tensor is not inside planned buffer 2: expected a range inside its 32 "
            "bytes, found 16 bytes at offset 20; export the program again");
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.forward.tensor({.sizes = {2, 2}, .memory_id = 2, .offset = UINT64_MAX - 15, .device_type = kCuda});
              p.finish();
            }),
            "method 'forward', value 1: the tensor is not inside planned buffer 2: expected a range inside its 32 "
            "bytes, found 16 bytes at offset 18446744073709551600; export the program again");
}

TEST_F(BadInputTest, CopyOperatorWithTheWrongSides) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.on_device();
              p.finish();
              p.forward.call("et_copy::_h2d_copy.out", {1, 0, 0});
            }),
            "method 'forward', chain 0, instruction 2: et_copy::_h2d_copy.out has the wrong sides: expected from cpu:0 "
            "to a device, found from cuda:0 to cpu:0; export the program again");
}

TEST_F(BadInputTest, HostKernelGivenADeviceTensor) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.on_device();
              p.finish();
              p.forward.call("aten::relu.out", {1, 2, 2});
            }),
            "method 'forward', chain 0, instruction 2: a host kernel, aten::relu.out, is given memory of a device: "
            "expected arguments on cpu:0, found value 1 on cuda:0; export the program again, with copies around its "
            "delegates");
}

TEST_F(BadInputTest, DeviceThatTheRegistryLacks) {
  EXPECT_EQ(failure([](Contradiction& p) {
              p.x();
              p.on_device();
              p.forward.buffer(16, kCuda, 2);
              p.finish();
            }),
            "method 'forward': planned buffer 3 (16 bytes on cuda:2): device registry: there is no device cuda:2: "
            "expected one of cpu:0, cuda:0, cuda:1; add a [[device]] entry with id = \"cuda:2\" to the registry file");
}

// Inputs of add_cuda0: two float32[2, 2] on the host.
class BadCallTest : public testing::Test {
 protected:
  std::string failure(const std::vector<Value>& inputs) {
    const auto outputs = session_.module().execute("forward", inputs);
    EXPECT_FALSE(outputs.has_value());
    if (outputs.has_value()) return "OK";
    EXPECT_EQ(outputs.error().origin(), Origin::kUsage);
    EXPECT_EQ(outputs.error().code(), Code::kInvalidArgument);
    const std::string start = program_path(program_) + ", method 'forward': ";
    const std::string message = outputs.error().message();
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }
  [[nodiscard]] std::shared_ptr<Device> device(std::int32_t index) {
    return session_.registry().find({"cuda", index}).value();
  }
  // The method runs after all refusals.
  ~BadCallTest() override {
    for (const Step& step : session_.steps()) {
      const Status status = step.run();
      EXPECT_TRUE(status.ok()) << status.message();
    }
    good_ = Value();
    session_.end_module();
    expect_nothing_left(session_);
  }

  std::string program_ = "skip_h2d";
  Session session_{{.program = program_, .options = "strict = true,"}};
  Value good_ = Value::of_tensor(*Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
};

TEST_F(BadCallTest, WrongCount) {
  EXPECT_EQ(failure({}), "wrong number of inputs: expected 2, found 0");
  EXPECT_EQ(failure({good_, good_, good_}), "wrong number of inputs: expected 2, found 3");
}

TEST_F(BadCallTest, WrongType) {
  EXPECT_EQ(failure({Value::of_double(0.5), good_}), "input 0: wrong type: expected tensor, found double 0.500000");
  EXPECT_EQ(failure({Value::of_tensor(*Tensor::of<std::int64_t>({2, 2}, {1, 2, 3, 4})), good_}),
            "input 0: wrong element type: expected float32[2, 2], found int64[2, 2]");
}

TEST_F(BadCallTest, WrongShape) {
  EXPECT_EQ(failure({Value::of_tensor(*Tensor::of<float>({4}, {1, 2, 3, 4})), good_}),
            "input 0: wrong rank: expected float32[2, 2], found float32[4]");
  EXPECT_EQ(failure({Value::of_tensor(*Tensor::of<float>({4, 1}, {1, 2, 3, 4})), good_}),
            "input 0: wrong sizes: expected float32[2, 2], found float32[4, 1]");
}

TEST_F(BadCallTest, WrongDevice) {
  const Value near = Value::of_tensor(*good_.to_tensor()->clone_to(device(0)));
  const Value far = Value::of_tensor(*good_.to_tensor()->clone_to(device(1)));
  EXPECT_EQ(failure({good_, near}),
            "input 0: wrong device: expected cuda:0, found the host; copy the tensor there first (Tensor::clone_to)");
  EXPECT_EQ(failure({near, far}),
            "input 1: wrong device: expected cuda:0, found cuda:1; copy the tensor there first (Tensor::clone_to)");
}

}  // namespace
}  // namespace berth::sweep
