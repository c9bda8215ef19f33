// Whole messages of faults that stand for the others: what a person reads when a plugin fails below a program.
#include <gtest/gtest.h>

#include "session.h"

namespace berth::sweep {
namespace {

// The failure of the first step that fails under `faults`.
class MessageTest : public testing::Test {
 protected:
  std::string failure(const std::string& program, const std::string& options, const std::string& faults) {
    Session session({.program = program, .options = options, .faults = faults});
    for (const Step& step : session.steps()) {
      const Status status = step.run();
      if (status.ok()) continue;
      std::string message = status.message();
      const std::size_t at = message.find(session.config_path());
      return at == std::string::npos ? message : message.replace(at, session.config_path().size(), "devices.toml");
    }
    return "OK";
  }
  // The same of two_methods on a plain mock, without the file's name in front.
  std::string of_two_methods(const std::string& faults) {
    const std::string message = failure("two_methods", "", faults);
    const std::string file = program_path("two_methods") + ", ";
    return message.starts_with(file) ? message.substr(file.size()) : message;
  }
};

TEST_F(MessageTest, OfOpening) {
  EXPECT_EQ(of_two_methods("create=DEPENDENCY_MISSING"),
            "method 'decode': planned buffer 2 (48 bytes on cuda:1): devices.toml:10:1, device cuda:1, stage instance: "
            "plugin cpu_mock, create: fault schedule: 'create=DEPENDENCY_MISSING' at call 1, create");
  EXPECT_EQ(of_two_methods("open@0=NO_PERMISSION(13)"),
            "method 'encode': planned buffer 2 (32 bytes on cuda:0): devices.toml:6:1, device cuda:0, stage device: "
            "plugin cpu_mock, open: fault schedule: 'open@0=NO_PERMISSION(13)' at call 1, open [native code 13]");
}

TEST_F(MessageTest, OfAllocations) {
  EXPECT_EQ(of_two_methods("allocate#1=OUT_OF_DEVICE_MEMORY(2)"),
            "method 'decode': planned buffer 2 (48 bytes on cuda:1): cuda:1 (plugin mock), allocation of 48 bytes: "
            "plugin cpu_mock, allocate: fault schedule: 'allocate#1=OUT_OF_DEVICE_MEMORY(2)' at call 1, allocate; try "
            "again [native code 2]");
  EXPECT_EQ(of_two_methods("allocate#3=TOO_MANY_ALLOCATIONS"),
            "method 'encode': output 0: 16 bytes on cuda:0: cuda:0 (plugin mock), allocation of 16 bytes: plugin "
            "cpu_mock, allocate: fault schedule: 'allocate#3=TOO_MANY_ALLOCATIONS' at call 3, allocate; try again");
  EXPECT_EQ(of_two_methods("fill#1=DRIVER_FAILED"),
            "method 'decode': planned buffer 2 (48 bytes on cuda:1): cuda:1 (plugin mock), fill of 48 bytes: plugin "
            "cpu_mock, fill: fault schedule: 'fill#1=DRIVER_FAILED' at call 1, fill");
  EXPECT_EQ(of_two_methods("free#1=DRIVER_FAILED"),
            "method 'decode': planned buffer 2: cuda:1 (plugin mock), free of 48 bytes: plugin cpu_mock, free: fault "
            "schedule: 'free#1=DRIVER_FAILED' at call 1, free");
}

TEST_F(MessageTest, OfCopies) {
  EXPECT_EQ(of_two_methods("to_device#2=DRIVER_FAILED(700)"),
            "method 'decode': instruction 1 (et_copy::_h2d_copy.out on values 1, 3, 3): copy of 16 bytes, host to "
            "device, from value 1 to value 3: cuda:1 (plugin mock), copy of 16 bytes to the device: plugin cpu_mock, "
            "to_device: fault schedule: 'to_device#2=DRIVER_FAILED(700)' at call 2, to_device [native code 700]");
  EXPECT_EQ(of_two_methods("to_host#7=DRIVER_FAILED"),
            "method 'decode': instruction 7 (et_copy::_d2h_copy.out on values 8, 9, 9): copy of 16 bytes, device to "
            "host, from value 8 to value 9: cuda:1 (plugin mock), copy of 16 bytes to the host: plugin cpu_mock, "
            "to_host: fault schedule: 'to_host#7=DRIVER_FAILED' at call 7, to_host");
  EXPECT_EQ(of_two_methods("to_host#2=DRIVER_FAILED"),
            "method 'decode': instruction 2 (delegate BackendWithCompilerDemo on values 2, 3, 4): argument 1: cuda:1 "
            "(plugin mock), copy of 16 bytes to the host: plugin cpu_mock, to_host: fault schedule: "
            "'to_host#2=DRIVER_FAILED' at call 2, to_host");
  EXPECT_EQ(failure("transformer_2dev", "opaque = true,", "to_device#4=DRIVER_FAILED"),
            program_path("transformer_2dev") +
                ", method 'forward': instruction 6 (delegate ExecutorBackend on values 17, 18): argument 1: cuda:1 "
                "(plugin mock), copy of 1536 bytes to the device: plugin cpu_mock, to_device: fault schedule: "
                "'to_device#4=DRIVER_FAILED' at call 4, to_device");
}

TEST_F(MessageTest, OfALostDevice) {
  EXPECT_EQ(
      of_two_methods("to_device#1=DEVICE_LOST"),
      "method 'decode': instruction 0 (et_copy::_h2d_copy.out on values 0, 2, 2): copy of 16 bytes, host to "
      "device, from value 0 to value 2: cuda:1 (plugin mock), copy of 16 bytes to the device: plugin cpu_mock, "
      "to_device: fault schedule: 'to_device#1=DEVICE_LOST' at call 1, to_device; call registry.retry(cuda:1) to open "
      "the device again");
  EXPECT_EQ(of_two_methods("heap#1=DEVICE_LOST"),
            "method 'decode': planned buffer 2 (48 bytes on cuda:1): cuda:1 (plugin mock), allocation of 48 bytes: "
            "plugin cpu_mock, allocate: device 1 is lost; close it and open it again; call "
            "registry.retry(cuda:1) to open the device again");
}

TEST_F(MessageTest, OfTheHostsLimit) {
  Session session({.program = "two_methods", .options = "", .host_limit = "100B"});
  EXPECT_EQ(session.module().load_method("decode").message(), "OK");
  EXPECT_EQ(session.module().load_method("host").message(), "OK");
  EXPECT_EQ(session.module().load_method("encode").message(),
            program_path("two_methods") +
                ", method 'encode': planned buffer 1 (32 bytes on cpu:0): cpu:0, allocation of 32 bytes: the limit of "
                "the registry file would be exceeded: expected at most 20 bytes (limit 100 bytes, in use 80 bytes), "
                "found 32 bytes; free memory or raise `limit` of [host]");
  EXPECT_EQ(session.module().unload_method("host").message(), "OK");
  EXPECT_EQ(session.module().load_method("encode").message(), "OK");
}

TEST_F(MessageTest, OfAFullDevice) {
  Session session({.program = "two_methods", .options = "capacity = \"64B\","});
  EXPECT_EQ(session.module().load_method("decode").message(), "OK");
  const auto device = session.registry().find({"cuda", 0});
  ASSERT_TRUE(device.has_value()) << device.error().message();
  {
    const auto other = DeviceBuffer::allocate(*device, {.bytes = 40});
    ASSERT_TRUE(other.has_value()) << other.error().message();
    EXPECT_EQ(session.module().load_method("encode").message(),
              program_path("two_methods") +
                  ", method 'encode': planned buffer 2 (32 bytes on cuda:0): cuda:0 (plugin mock), allocation of 32 "
                  "bytes: plugin cpu_mock, allocate: heap 0 of device 0 is full: 32 bytes asked, 40 of 64 in use");
  }
  EXPECT_EQ(session.module().load_method("encode").message(), "OK");
}

}  // namespace
}  // namespace berth::sweep
